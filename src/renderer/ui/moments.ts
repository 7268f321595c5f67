// How days and times are written on the screens, by the clock of this machine: `4 May 2026, 09:30`.

const written = (timeStyle?: 'short' | 'medium') => {
  const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', ...(timeStyle === undefined ? {} : { timeStyle }) });
  return (at: string | number | Date): string => {
    const date = new Date(at);
    return Number.isNaN(date.getTime()) ? 'time unknown' : format.format(date);
  };
};

/** `4 May 2026`. */
export const dayText = written();
/** `4 May 2026, 09:30`. */
export const minuteText = written('short');
/** `4 May 2026, 09:30:05`. */
export const secondText = written('medium');

const time = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' });
/** `09:30:05`, for what was today. */
export const timeText = (at: number | Date): string => time.format(at);
