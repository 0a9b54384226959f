/** Use of media that a caller has now. */
export interface MediaUse {
  /** Milliseconds since the epoch at which it ends. Undefined: no terms end it. */
  readonly until?: number | undefined;
  /** Whether terms would end or refuse it, and a role of the caller is above them. */
  readonly isAbove?: boolean;
  /** Called before each piece of bytes that leaves. Rejects once the use has ended. Undefined: it never ends. */
  stillUsable?(): Promise<void>;
}

/** Format of picture addresses. */
export interface PictureView {
  /** Prefix before `/thumbnail/...`, such as `https://host/API`. */
  readonly base: string;
  /** Whether the addresses have a key that shows the picture without credentials. */
  readonly keyed: boolean;
}
