const faults = '[data-fault], [aria-invalid="true"], [data-invalid]';
const controls = 'input:not([type="hidden"]), textarea, button';

/** What of a fault takes the focus: of a group the choice that is made. */
function controlOf(fault: HTMLElement): HTMLElement {
  if (fault.matches(controls)) return fault;
  return fault.querySelector<HTMLElement>('input:checked') ?? fault.querySelector<HTMLElement>(controls) ?? fault;
}

/** Goes to the first field that something is wrong with: it comes into view with what is wrong, and has the focus. */
export function focusFirstFault(fields: HTMLElement | null): void {
  const fault = fields?.querySelector<HTMLElement>(faults);
  if (fault === null || fault === undefined) return;
  const control = controlOf(fault);
  control.scrollIntoView({ block: 'center' });
  // A large field leaves no room for the words below it.
  const described = control.getAttribute('aria-describedby')?.split(' ').at(-1) ?? '';
  document.getElementById(described)?.scrollIntoView({ block: 'nearest' });
  control.focus({ preventScroll: true });
}
