import { CalendarClock } from 'lucide-react';
import { useState } from 'react';
import { betweenSchema, nextTime } from '../../shared/hours.ts';
import { Button } from './Button.tsx';
import { Checkbox } from './Checkbox.tsx';
import { TextField } from './TextField.tsx';

/** `Fri 22:00` of a time within the next week. */
export const timeOfDay = (at: string): string =>
  new Date(at).toLocaleString('en-GB', { weekday: 'short', hour: '2-digit', minute: '2-digit' });

/** When something begins by itself: at a time, or in hours of every day such as `22:00-07:00`. */
export interface Planned {
  readonly until: string | null;
  readonly between: string | null;
}

/** Has something begin by itself within the next day, or work in the same hours of every day until it is done. */
export function PlanAt({
  words = 'Later…',
  isDisabled,
  onPlan,
}: {
  /** Words of the button that asks for the time. */
  words?: string;
  isDisabled: boolean;
  onPlan: (planned: Planned) => void;
}) {
  const [clock, setClock] = useState<string | null>(null);
  const [end, setEnd] = useState('07:00');
  const [isDaily, setDaily] = useState(false);
  if (clock === null)
    return (
      <Button icon={CalendarClock} onPress={() => setClock('22:00')} isDisabled={isDisabled}>
        {words}
      </Button>
    );
  const until = nextTime(clock, new Date())?.toISOString() ?? null;
  const { data: between = null } = betweenSchema.safeParse(`${clock}-${end}`);
  const planned = isDaily ? between && { until: null, between } : until && { until, between: null };
  return (
    <div className="row gap-8">
      <TextField label="Time" labelHidden type="time" value={clock} onChange={setClock} autoFocus />
      <Checkbox isSelected={isDaily} onChange={setDaily}>
        Every day until
      </Checkbox>
      {isDaily ? <TextField label="End" labelHidden type="time" value={end} onChange={setEnd} /> : null}
      <Button
        isDisabled={isDisabled || !planned}
        onPress={() => {
          if (!planned) return;
          onPlan(planned);
          setClock(null);
        }}
      >
        {!planned ? 'Plan' : until === null || isDaily ? `Plan for ${clock} to ${end} every day` : `Plan for ${timeOfDay(until)}`}
      </Button>
      <Button onPress={() => setClock(null)}>Cancel</Button>
    </div>
  );
}
