/** One entry of a list to choose from. */
export interface Choice<Id extends string = string> {
  readonly id: Id;
  readonly label: string;
  readonly note?: string | undefined;
  readonly disabled?: boolean;
}
