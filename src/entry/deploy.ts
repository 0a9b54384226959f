import { builtInSecurity, type Service } from '../composition/service.ts';
import { systemClock } from '../core/lib/clock.ts';
import { createLog } from '../core/lib/log.ts';
import type { Maybe } from '../core/lib/maybe.ts';
import { setEngine } from '../core/scripts/run-script.ts';
import { setHashes } from '../core/store/migrations.ts';
import { readingMethods } from '../http/route.ts';
import type { SecurityInput } from '../security/ini/security-parts.ts';
import { type EdgeLoan, edgeService } from './edge.ts';
import { DenoArrival } from './listen-deno.ts';
import { pageOf } from './page-forms.ts';
import { hostWire } from './wire.ts';

type Info = ConstructorParameters<typeof DenoArrival>[1];

interface DenoNamespace {
  readonly env: { toObject(): Record<string, string> };
  readonly cron?: (name: string, schedule: string, tick: () => Promise<void>) => Promise<void>;
  serve(handler: (request: Request, info: Info) => Maybe<Response>): unknown;
}

/** Milliseconds of work behind an answer. The platform may stop an instance that has no request. */
const budget = 10_000;
/** Milliseconds of a tick, which the next one does not overtake. */
const tickBudget = 50_000;

/** Arrival by TLS, which the platform ends in front of this process. */
class DeployArrival extends DenoArrival {
  readonly secure: boolean;

  constructor(request: Request, info: Info) {
    super(request, info);
    this.secure = request.url.startsWith('https:');
  }
}

/**
 * Serves on Deno Deploy, with a database on a libSQL server that `portico migrate` has prepared. Instances begin and end
 * at any time, so each works as an edge does: behind answers, and at the ticks of a timer.
 */
export function serveOnDeploy(
  security: SecurityInput = builtInSecurity,
  { scriptEngine, hashes, ...loan }: EdgeLoan = {},
): void {
  if (scriptEngine) setEngine(scriptEngine);
  if (hashes) setHashes(hashes);
  const { Deno } = globalThis as unknown as { Deno: DenoNamespace };
  let opened: Service | undefined;
  // Made by a request: the platform also runs this module to find its timers, and lends it no settings then.
  const service = () => {
    const environment = Deno.env.toObject();
    opened ??= edgeService(environment, security, {
      wire: hostWire(),
      fetch: (...given) => fetch(...given),
      callsLeft: () => Number.POSITIVE_INFINITY,
      group: true,
      ...pageOf(loan, environment),
    });
    return opened;
  };
  if (Deno.cron) void Deno.cron('portico', '* * * * *', async () => void (await service().tick(tickBudget)));
  else warnOfTimer();
  Deno.serve((request, info) => {
    const answer = service().fetch(request, new DeployArrival(request, info));
    // Failures are in the log of the request. A rejection that nobody takes would end the process.
    const after = Promise.resolve(answer).then(() =>
      service().afterAnswer(!readingMethods.has(request.method), budget),
    );
    void after.catch(() => undefined);
    return answer;
  });
}

function warnOfTimer(): void {
  const notice = 'Expected Deno.cron (--unstable-cron): work that is due later waits for a request';
  createLog((line) => console.log(line), systemClock, 'warn').write('warn', 'host', { notice });
}
