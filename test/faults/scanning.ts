import type { Fault } from './fault.ts';

const room = 'src/storage/scanning';
const tests = 'test/storage/scanning';

/** Faults of scans and hashes. */
export const scanningFaults: readonly Fault[] = [
  {
    name: 'a scan whose cursor is not in the commit of its files',
    file: `${room}/turns/progress.ts`,
    find: 'this.held(this.saved(upTo, foundWith(these)))',
    replace: 'this.held()',
    caughtBy: `${tests}/crash-points.test.ts`,
  },
  {
    name: 'a scan that writes after its lease is lost',
    file: `${room}/turns/progress.ts`,
    find: '[scanLeaseHolds({ storageId: storage, fence }, scanLost), ...changes]',
    replace: '[...changes]',
    caughtBy: `${tests}/turns.test.ts`,
  },
  {
    name: 'a scan that believes a listing which is older than the rows',
    file: `${room}/merging/window.ts`,
    find: 'filter(({ isDoubtful }) => isDoubtful)',
    replace: 'filter(() => false)',
    caughtBy: `${tests}/listings.test.ts`,
  },
  {
    name: 'a scan that gives up what a mount took with it',
    file: `${room}/turns/passes.ts`,
    find: '!(await isStillThere(seen, signal))',
    replace: 'false',
    caughtBy: `${tests}/stops.test.ts`,
  },
  {
    name: 'an empty mount point that passes for the storage',
    file: `${room}/look.ts`,
    find: 'accepted || isKnown(method, place)',
    replace: 'true',
    caughtBy: `${tests}/folders.test.ts`,
  },
  {
    name: 'another scan on request that gives up files a stopped one missed',
    file: `${room}/merging/rules.ts`,
    find: 'if (careful) return',
    replace: 'if (false) return',
    caughtBy: `${tests}/stops.test.ts`,
  },
  {
    name: 'folders in the order of their names, not of paths',
    file: `${room}/merging/window.ts`,
    find: 'if (inByteOrder(last, path) >= 0) return false;',
    replace: '',
    caughtBy: `${tests}/listings.test.ts`,
  },
  {
    name: 'bytes that wait for their deletion and come back as a new file',
    file: `${room}/merging/window.ts`,
    find: 'content !== undefined && content === decision.to?.content',
    replace: 'false',
    caughtBy: `${tests}/listings.test.ts`,
  },
  {
    name: 'a hash of bytes that changed while they were read',
    file: `${room}/hash-files.ts`,
    find: 'size === file.size && after?.version === file.version',
    replace: 'true',
    caughtBy: `${tests}/hashing.test.ts`,
  },
  {
    name: 'a hash of bytes that came behind the listing, in the row of the listed ones',
    file: `${room}/merging/new-hashes.ts`,
    find: ' || answer.file.version !== decision.to!.content',
    replace: '',
    caughtBy: `${tests}/folders.test.ts`,
  },
  {
    name: 'a file that is missing and passes for one that has not changed',
    file: `${room}/merging/store.ts`,
    find: "SELECT CASE WHEN state = 'CLOSED' THEN",
    replace: 'SELECT CASE WHEN 1 THEN',
    caughtBy: `${tests}/listings.test.ts`,
  },
  {
    name: 'a storage that does not answer and holds up the hashes of others',
    file: `${room}/hashing-work.ts`,
    find: '!isHeld(id) && !restsUntil.has(id)',
    replace: '!isHeld(id)',
    caughtBy: `${tests}/hashing.test.ts`,
  },
];
