/** A small fault in the product, planted while its tests run. */
export interface Fault {
  readonly name: string;
  readonly file: string;
  /** Found once in the file, and replaced. */
  readonly find: string;
  readonly replace: string;
  /** A suite that has to fail. */
  readonly caughtBy: string;
}
