import { TurnFailure } from '../protocols/court.ts';

/**
 * Brings what a protocol does at a time into a fixed order, so that nothing depends on which answer comes first.
 *
 * Steps that take time and are under way together make a round. None of them comes back before all have come to their
 * end; what they learned is known from then on, in the order in which they started. A step that the record holds is
 * over at once, so a round ends only when the protocol has fallen silent: a role that would have been asked during a
 * slow answer is then asked during a recorded one too. Steps that follow each other are rounds of one.
 *
 * Limits: branches of a protocol that take several steps each continue together, step by step. A protocol is taken for
 * silent after `quietTicks` ticks of the microtask queue in which it neither asked nor wrote anything; one that waits
 * for anything but its court is not covered.
 */
export interface Rounds {
  /** Starts a step at once. All but a `TurnFailure` is thrown without waiting. @param learn gets the result at the round's end */
  take<T>(step: () => Promise<T>, learn?: () => void): Promise<T>;
  /** Call it when the protocol is still at work. */
  stir(): void;
}

interface Member {
  readonly learn: () => void;
  readonly resolve: () => void;
}

/** More than any wrapping of promises around a step takes. */
const quietTicks = 64;
/** Made once: every tick would make another one. */
const nothing = Promise.resolve();

export function openRounds(): Rounds {
  let members: Member[] = [];
  let underWay = 0;
  let stirred = 0;

  let ending = false;

  /** Ends the round once the protocol is silent, unless it continues with something else that takes time. */
  const end = async () => {
    if (ending) return;
    ending = true;
    let seen = stirred;
    for (let quiet = 0; quiet < quietTicks && underWay === 0; quiet++) {
      await nothing;
      if (stirred !== seen) quiet = 0;
      seen = stirred;
    }
    ending = false;
    if (underWay > 0) return;
    const ended = members;
    members = [];
    for (const { learn } of ended) learn();
    for (const { resolve } of ended) resolve();
  };

  const leave = () => {
    underWay -= 1;
    stirred += 1;
    if (underWay === 0) void end();
  };

  return {
    stir() {
      stirred += 1;
    },
    async take(step, learn = () => undefined) {
      underWay += 1;
      stirred += 1;
      const { promise, resolve } = Promise.withResolvers<void>();
      const member: Member = { learn, resolve };
      members.push(member);
      try {
        const result = await step();
        leave();
        await promise;
        return result;
      } catch (error) {
        const ends = !(error instanceof TurnFailure);
        if (ends) members = members.filter((each) => each !== member);
        leave();
        if (!ends) await promise;
        throw error;
      }
    },
  };
}
