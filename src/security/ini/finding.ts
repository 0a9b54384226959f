/** Defect or hint in security.ini or in a plugin. Errors prevent the start. */
export interface Finding {
  readonly severity: 'error' | 'warning';
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** Stable code of the finding. */
  readonly code: string;
  /** Expectation with an upper-case first letter, then a colon and the actual value. Without secrets. */
  readonly message: string;
  /** The nearest name that would have been valid. */
  readonly nearest?: string | undefined;
}
