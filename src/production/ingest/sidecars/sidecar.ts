/** A file with what is said of the media beside it. */
export interface Sidecar {
  readonly name: string;
  readonly text: string;
}
