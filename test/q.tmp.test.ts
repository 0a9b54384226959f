import { it } from 'vitest';
import { openService } from './support/service.ts';
import { openDatabase } from '../src/entry/native/open-database.ts';
import { openStore } from '../src/store/store.ts';
import { storeSettings } from './support/store.ts';
import { migratedDatabase } from './support/migrated.ts';
const cpu = () => { const u = process.cpuUsage(); return (u.user + u.system) / 1000; };
it('p', async () => {
  for (let i = 0; i < 5; i++) { const w = await openService(); await w.close(); }
  let t = cpu();
  for (let i = 0; i < 30; i++) { const w = await openService(); await w.close(); }
  console.log('openService', (cpu() - t) / 30);
  t = cpu();
  for (let i = 0; i < 30; i++) { const s = openStore(await migratedDatabase(), storeSettings()); await s.migrate(); await s.close(); }
  console.log('copy', (cpu() - t) / 30);
}, 60000);
