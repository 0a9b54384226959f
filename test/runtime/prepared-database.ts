import type { TestProject } from 'vitest/node';
import { readSettings } from '../../src/config/settings.ts';
import { hostPlatform } from '../../src/entry/host.ts';
import { createService } from '../../src/service.ts';
import { startSqld } from '../support/sqld.ts';
import { adminPassword } from './password.ts';

declare module 'vitest' {
  interface ProvidedContext {
    databaseUrl: string;
  }
}

/** On the host: a libSQL server, migrated and initialised as `portico migrate` does it before an edge is deployed. */
export default async function prepare({ provide }: TestProject): Promise<() => Promise<void>> {
  const server = await startSqld();
  const environment = {
    PORTICO_DATABASE: server.url,
    PORTICO_ADMIN_PASSWORD: adminPassword,
    PORTICO_LOG_LEVEL: 'error',
  };
  const settings = readSettings(environment);
  const service = createService(settings, await hostPlatform(settings, console.log));
  await service.start();
  await service.close();
  provide('databaseUrl', server.url);
  return () => server.stop();
}
