import { Pause, Play, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { toTrial, toTrialPlay } from '../../app/routes.ts';
import { useShortcuts } from '../../app/Shortcuts.tsx';
import { Button } from '../../ui/Button.tsx';
import { KeyHint, keyed } from '../../ui/KeyNames.tsx';
import { Select } from '../../ui/Select.tsx';
import type { TurnItem } from './courtItems.ts';
import { skimmingMs } from './stateAt.ts';
import styles from './Transcript.module.css';

/** What an address of a play-back comes with where it is to begin at once; a link to the address and a step back do not. */
export const begins = 'play';

const speeds = (['0.5', '1', '2', '4'] as const).map((id) => ({ id, label: `${id} ×` }));

/** Plays a trial row by row. The address has the place, so that a link and a step back lead to it. */
export function Playback({ trial, place, turns }: { trial: string; place: number; turns: readonly TurnItem[] }) {
  const [, navigate] = useLocation();
  const slider = useRef<HTMLInputElement>(null);
  const [isPlaying, setPlaying] = useState(() => history.state === begins);
  const [speed, setSpeed] = useState<(typeof speeds)[number]['id']>('1');
  const turn = turns[place - 1];
  const where = turn === undefined ? '' : `${turn.who}, ${turn.what}`;
  const isLast = place >= turns.length;
  useEffect(() => slider.current?.focus(), []);
  useEffect(() => {
    if (!isPlaying) return undefined;
    if (isLast) {
      setPlaying(false);
      return undefined;
    }
    const next = () => navigate(toTrialPlay(trial, place + 1), { replace: true });
    const timer = setTimeout(next, skimmingMs(turn) / Number(speed));
    return () => clearTimeout(timer);
  }, [isPlaying, isLast, place, speed, trial, turn, navigate]);
  const toggle = () => {
    if (isLast) navigate(toTrialPlay(trial, 1), { replace: true });
    setPlaying((now) => !now);
  };
  const end = () => navigate(toTrial(trial));
  useShortcuts([
    { keys: ['b'], does: 'Play the trial back, or pause', run: toggle },
    { keys: ['Escape'], does: 'End the play-back', run: end },
  ]);
  return (
    <section className={`row gap-10 ${styles.find}`} aria-label="Play-back">
      <Button size="small" render={keyed('b', isPlaying ? 'Pause' : 'Play')} onPress={toggle}>
        {isPlaying ? <Pause size={14} aria-hidden="true" /> : <Play size={14} aria-hidden="true" />}
        {isPlaying ? 'Pause' : 'Play'} <KeyHint keys="b" />
      </Button>
      <input
        ref={slider}
        type="range"
        className={styles.scrubber}
        min={1}
        max={turns.length}
        value={place}
        aria-label="Place in the trial"
        aria-valuetext={`${place} of ${turns.length}: ${where}`}
        onChange={({ target }) => navigate(toTrialPlay(trial, Number(target.value)), { replace: true })}
        onKeyDown={(event) => {
          if (event.key !== ' ') return;
          event.preventDefault();
          toggle();
        }}
      />
      <span className={`cut muted ${styles.played}`}>
        {place} of {turns.length} · {where}
      </span>
      <Select label="Speed" labelHidden value={speed} choices={speeds} onChange={setSpeed} />
      <Button
        icon={X}
        size="small"
        look="quiet"
        aria-label="End the play-back"
        render={keyed('Escape', 'End the play-back')}
        onPress={end}
      />
    </section>
  );
}
