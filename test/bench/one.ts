import { benchCommit } from './commit.ts';
import { benchDeliveries } from './deliveries.ts';
import { benchHostileMedia } from './hostile-media.ts';
import { benchIdle } from './idle.ts';
import { benchImport } from './import.ts';
import { benchJobs } from './jobs.ts';
import { benchMedia } from './media.ts';
import { benchNotifications } from './notifications.ts';
import { benchScanMemory } from './scan-memory.ts';
import { benchScans } from './scans.ts';
import { benchIni } from './security-ini.ts';
import { benchXml } from './xml.ts';

/** Runs one of the benches that need no server, under whatever runtime this is, and prints its rows as JSON. */
const benches = {
  xml: () => benchXml(),
  commit: () => benchCommit(),
  ini: () => benchIni(),
  notifications: () => benchNotifications(),
  deliveries: () => benchDeliveries(),
  jobs: () => benchJobs(...sizes),
  idle: () => benchIdle(...sizes),
  import: () => benchImport(...sizes),
  'hostile-media': () => benchHostileMedia(...sizes),
  media: () => benchMedia(...sizes),
  scans: () => benchScans(...sizes),
  'scan-memory': () => benchScanMemory(...sizes),
};

const sizes = process.argv.slice(3).map(Number);
const name = process.argv[2] as keyof typeof benches;
console.log(JSON.stringify(await benches[name]()));
