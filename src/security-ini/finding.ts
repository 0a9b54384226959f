/** One thing that is wrong, or worth knowing, in security.ini or in a plugin. Errors stop the start. */
export interface Finding {
  readonly severity: 'error' | 'warning';
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** A stable word for the kind of finding. */
  readonly code: string;
  /** Upper case first: what was expected, then a colon and what is there. No secret. */
  readonly message: string;
  /** The nearest name that would have been valid. */
  readonly nearest?: string | undefined;
}
