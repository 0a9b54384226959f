import type { TestProject } from 'vitest/node';
import { startPreparedSqld } from '../support/sqld.ts';
import { adminPassword } from './password.ts';

declare module 'vitest' {
  interface ProvidedContext {
    databaseUrl: string;
  }
}

/** On the host: the database of the edge. */
export default async function prepare({ provide }: TestProject): Promise<() => Promise<void>> {
  const server = await startPreparedSqld({ PORTICO_ADMIN_PASSWORD: adminPassword }, console.log);
  provide('databaseUrl', server.url);
  return () => server.stop();
}
