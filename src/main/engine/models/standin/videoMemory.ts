/** The memory of an imitated GPU. Other programs can take a part of it, or give it back, while models are loaded. */
export class VideoMemory {
  #bytes: number;

  constructor(bytes: number) {
    this.#bytes = bytes;
  }

  /** From now on models have so many bytes of it. */
  leave(bytes: number): void {
    this.#bytes = Math.max(0, bytes);
  }

  /**
   * Bytes of each model that are on the GPU, in the order in which they came: what does not fit is on the processor.
   * @param wanted bytes of each that would be there
   */
  placed(wanted: readonly number[]): number[] {
    let left = this.#bytes;
    return wanted.map((bytes) => {
      const placed = Math.min(bytes, left);
      left -= placed;
      return placed;
    });
  }
}
