import { createService } from '../../src/composition/service.ts';
import { readSettings } from '../../src/composition/settings.ts';
import { hostPlatform } from '../../src/entry/host.ts';
import { type Sqld, startSqld } from './sqld.ts';

/** A libSQL server, migrated and initialised as `portico migrate` does it before an edge is deployed. */
export async function startPreparedSqld(
  environment: Readonly<Record<string, string>> = {},
  log: (line: string) => void = () => undefined,
): Promise<Sqld> {
  const server = await startSqld();
  try {
    const settings = readSettings({ ...environment, PORTICO_DATABASE: server.url, PORTICO_LOG_LEVEL: 'error' });
    const service = createService(settings, await hostPlatform(settings, log));
    await service.start();
    await service.close();
    return server;
  } catch (error) {
    await server.stop();
    throw error;
  }
}
