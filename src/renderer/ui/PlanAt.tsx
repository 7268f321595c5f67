import { CalendarClock } from 'lucide-react';
import { useState } from 'react';
import { Button } from './Button.tsx';
import { TextField } from './TextField.tsx';

/** `Fri 22:00` of a time within the next week. */
export const timeOfDay = (at: string): string =>
  new Date(at).toLocaleString('en-GB', { weekday: 'short', hour: '2-digit', minute: '2-digit' });

/** The next time that a clock shows so many hours and minutes; null where the words are no time. */
function nextTime(clock: string): string | null {
  const [hours, minutes] = clock.split(':').map(Number);
  const now = new Date();
  const at = new Date(now);
  at.setHours(hours ?? Number.NaN, minutes ?? Number.NaN, 0, 0);
  if (Number.isNaN(at.getTime())) return null;
  if (at <= now) at.setDate(at.getDate() + 1);
  return at.toISOString();
}

/** Has something begin by itself within the next day, such as at night. */
export function PlanAt({
  words = 'Later…',
  isDisabled,
  onPlan,
}: {
  /** Words of the button that asks for the time. */
  words?: string;
  isDisabled: boolean;
  onPlan: (until: string) => void;
}) {
  const [clock, setClock] = useState<string | null>(null);
  if (clock === null)
    return (
      <Button icon={CalendarClock} onPress={() => setClock('22:00')} isDisabled={isDisabled}>
        {words}
      </Button>
    );
  const until = nextTime(clock);
  return (
    <div className="row gap-8">
      <TextField label="Time" labelHidden type="time" value={clock} onChange={setClock} autoFocus />
      <Button
        isDisabled={isDisabled || until === null}
        onPress={() => {
          if (until === null) return;
          onPlan(until);
          setClock(null);
        }}
      >
        {until === null ? 'Plan' : `Plan for ${timeOfDay(until)}`}
      </Button>
      <Button onPress={() => setClock(null)}>Cancel</Button>
    </div>
  );
}
