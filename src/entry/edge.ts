import { readSettings } from '../config/settings.ts';
import { systemClock } from '../lib/clock.ts';
import { systemRandom } from '../lib/random.ts';
import { createService, type Service } from '../service.ts';
import { openRemoteDatabase } from '../store/remote/remote-database.ts';
import { keyedDigest, scrypt } from './crypto.ts';

/** Bindings of a Worker: texts are settings, by the names of the environment. */
export type EdgeEnvironment = Readonly<Record<string, unknown>>;

const services = new WeakMap<EdgeEnvironment, Service>();

/**
 * A Workers-type module. Its database is a remote libSQL server that `portico migrate` has prepared:
 * an edge never migrates in a request. No request waits for another one, which such a runtime forbids.
 */
export default {
  fetch(request: Request, environment: EdgeEnvironment): Promise<Response> {
    let service = services.get(environment);
    if (!service) {
      service = edgeService(environment);
      services.set(environment, service);
    }
    return service.fetch(request, { address: request.headers.get('cf-connecting-ip') ?? undefined });
  },
};

export function edgeService(environment: EdgeEnvironment): Service {
  const texts = Object.entries(environment).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  const settings = readSettings(Object.fromEntries(texts));
  const { databaseToken, databaseTimeout } = settings;
  return createService(settings, {
    clock: systemClock,
    random: systemRandom,
    database: openRemoteDatabase(settings.database, {
      ...(databaseToken ? { token: databaseToken } : {}),
      deadline: databaseTimeout,
      group: false,
    }),
    scrypt,
    digest: keyedDigest(),
    print: (line) => console.log(line),
    notices: [],
    sharesWork: false,
  });
}
