/** Names of that many hosts that cannot be resolved, one after the other: then it is the resolver. */
const enough = 3;
const most = 100;

/** Tells whether names cannot be resolved because of this side: a receiver is not to blame for that. */
export function createNameSense() {
  const failed = new Set<string>();
  return {
    /** The resolver knew a name. */
    worked: (): void => failed.clear(),
    /** True: it is not about this name. */
    failed(host: string): boolean {
      if (failed.size < most) failed.add(host);
      return failed.size >= enough;
    },
  };
}
