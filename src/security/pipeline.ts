import { isHeaderName } from '../core/lib/checks.ts';
import type { Clock } from '../core/lib/clock.ts';
import { ServiceError } from '../core/lib/errors.ts';
import { describeError, type Log } from '../core/lib/log.ts';
import { after, type Maybe } from '../core/lib/maybe.ts';
import { Secret } from '../core/lib/secret.ts';
import type {
  Account,
  Credentials,
  FilterRequest,
  LoginAnswer,
  OAuth2Configuration,
  OAuth2Problem,
  OAuth2Setup,
  Refusal,
  ServiceUser,
  Verdict,
} from '../spi/index.ts';
import { headerOf, isOfOtherPage, type PipelineRequest } from './arrival.ts';
import { isAccount, type Login, notDecided, reasonFrom } from './authenticator.ts';
import type { ChainParts, StepParts } from './ini/security-parts.ts';
import { compilePatterns } from './patterns.ts';
import { actAs, runAsHeader } from './run-as.ts';
import { type Directory, type RequestUsers, type StoredCaller, Subject } from './subject.ts';
import { Deadline } from './time-limit.ts';

export type Decision =
  | {
      readonly granted: true;
      readonly subject: Subject | undefined;
      /** Headers that filters add to the answer. */
      readonly headers?: Readonly<Record<string, string>> | undefined;
    }
  | {
      readonly granted: false;
      readonly reason: string;
      readonly response: Refusal;
      /** Caller known at the refusal, and the user to act for. */
      readonly caller?: Subject | undefined;
      readonly runAs?: string | undefined;
      /** Error that replaces the bare response for authenticated callers. */
      readonly error?: ServiceError | undefined;
    };

interface Parts {
  readonly chains: readonly ChainParts[];
  readonly caseInsensitive: boolean;
  readonly directory: Pick<Directory, 'open'>;
  readonly login: Login;
  readonly clock: Clock;
  /** Milliseconds that a filter has for one request. Time in which it waits for the service does not count. */
  readonly timeLimit: number;
  readonly log: Log;
  readonly allowConfigUpdate: boolean;
  /** Current bearer configuration of the API. */
  oauth2(): Maybe<OAuth2Setup>;
}

const challengeHeader = 'www-authenticate';
/** A challenge for which browsers open no login window. */
const quietChallenge = 'Session';
const unauthorized: Refusal = { status: 401, headers: {} };
const late: Refusal = { status: 503, headers: { 'retry-after': '10' } };
const forbidden: Refusal = { status: 403, headers: {} };
const refused = (reason: string, response: Refusal) => ({ granted: false, reason, response }) as const;

/** Callback for each filter's answer, to explain a decision. */
type Observer = (step: StepParts, answer: Verdict | 'skipped') => void;

export interface Pipeline {
  decide(request: PipelineRequest): Maybe<Decision>;
  /** Answer to a login with these credentials from that address. */
  login(credentials: Credentials, address: string | undefined): Maybe<LoginAnswer>;
  /** Whether the API may configure the validation of bearer tokens. */
  readonly allowConfigUpdate: boolean;
  /** Problems that the bearer filters have with the configuration. */
  oauth2Problems(configuration: OAuth2Configuration): Promise<readonly OAuth2Problem[]>;
  /** Chain that matches a path. */
  chainOf(path: string): ChainParts | undefined;
  /** Decides like `decide`, with another login, and reports every step. */
  trace(request: PipelineRequest, login: Login, observer: Observer): Promise<Decision>;
}

/** Creates the pipeline. Every request gets a decision; without one it is refused. */
export function createPipeline({
  chains,
  caseInsensitive,
  directory,
  login,
  oauth2,
  allowConfigUpdate,
  ...limits
}: Parts): Pipeline {
  const contextOf = (request: PipelineRequest, loginOfWalk: Login) => {
    return { request, users: directory.open(request.arrival), login: loginOfWalk, oauth2, limits };
  };
  const patterns = compilePatterns(
    chains.map((chain) => chain.pattern),
    caseInsensitive,
  );
  const working = chains.map((chain) => chain.steps.filter(({ filter }) => !filter.inert));
  const chainOf = (path: string) => chains[patterns.first(path)];
  return {
    chainOf,
    allowConfigUpdate,
    oauth2Problems: async (configuration) => {
      const filters = new Set(chains.flatMap(({ steps }) => steps.map(({ filter }) => filter)));
      const problems = [...filters].map(async (filter) => filter.oauth2Problems?.(configuration) ?? []);
      return (await Promise.all(problems)).flat();
    },
    login: (credentials, address) => login(credentials, directory.open({ address })),
    decide(request) {
      const steps = working[patterns.first(request.path)];
      if (!steps) return refused('no-chain', forbidden);
      const walk = new Walk(steps, contextOf(request, login));
      const { as } = request.arrival;
      return as ? walk.resume(as) : walk.from(0);
    },
    async trace(request, assumed, observer) {
      const chain = chainOf(request.path);
      if (!chain) return refused('no-chain', forbidden);
      return new Walk(chain.steps, contextOf(request, assumed), observer).from(0);
    },
  };
}

/** Headers by which a proxy sends any file of its machine. */
const namesFile = /^x-(?:accel-redirect|sendfile)$/i;

/** A header that no runtime sends would leave the caller without any answer. */
function checkHeaders(headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) {
    if (!isHeaderName(name) || namesFile.test(name) || !/^[\t\x20-\x7e\x80-\xff]*$/.test(value))
      throw new TypeError(junk);
  }
}

/** Credentials of a kind that browsers remember. */
const basicHeader = /^basic(?: |$)/i;
const elsewhere = { accepted: false, reason: 'credentials-elsewhere' } as const;

/** Context shared by all filters of a request. */
interface WalkContext {
  readonly request: PipelineRequest;
  readonly users: RequestUsers;
  readonly login: Login;
  readonly limits: Pick<Parts, 'clock' | 'timeLimit' | 'log'>;
  oauth2(): Maybe<OAuth2Setup>;
}

type Challenge = NonNullable<Extract<Verdict, { readonly verdict: 'pass' }>['challenge']>;

/** Walk of a request through its chain. Synchronous as long as no filter waits. */
class Walk {
  readonly #steps: readonly StepParts[];
  readonly #context: WalkContext;
  readonly #observer: Observer | undefined;
  #subject: Subject | undefined;
  #headers: Record<string, string> | undefined;
  /** Challenges of the filters so far, the newest last. */
  #challenges: Challenge[] | undefined;

  constructor(steps: readonly StepParts[], context: WalkContext, observer?: Observer) {
    this.#observer = observer;
    this.#steps = steps;
    this.#context = context;
  }

  /** Asks again whether the caller of a kept request may come in, then walks as for a caller who just did. */
  async resume(stored: StoredCaller | Subject): Promise<Decision> {
    const resumed = stored instanceof Subject ? stored : await this.#context.users.resume(stored);
    if (resumed instanceof Subject) {
      this.#subject = resumed;
      return this.from(0);
    }
    // Not 401, whose body never tells why: the kept answer is all that tells why.
    const error = new ServiceError('caller-ended', { context: 'user', explanation: resumed.ended });
    return { ...refused(error.code, forbidden), error };
  }

  from(start: number): Maybe<Decision> {
    for (let index = start; index < this.#steps.length; index++) {
      const step = this.#steps[index]!;
      if (step.filter.authenticates && this.#subject) {
        this.#observer?.(step, 'skipped');
        continue;
      }
      const view = new View(this.#context, step, this.#subject);
      const verdict = step.filter.check(view);
      const taken = verdict instanceof Promise ? this.#await(step, view, verdict) : this.#take(step, verdict);
      if (taken instanceof Promise) return taken.then((decision) => decision ?? this.from(index + 1));
      if (taken) return taken;
    }
    if (!this.#subject && this.#steps.some(insists))
      return refused('nobody-authenticated', this.#challenged(unauthorized));
    return { granted: true, subject: this.#subject, headers: this.#headers };
  }

  /** A filter that does not answer holds its request no longer than a realm its login. */
  async #await(step: StepParts, view: View, coming: Promise<Verdict>): Promise<Decision | undefined> {
    const { log } = this.#context.limits;
    let verdict: Verdict;
    try {
      verdict = await view.patience.hold(coming);
    } catch (error) {
      if (!view.patience.isOver) throw error;
      log.write('error', 'filter-late', { filter: step.name, ...describeError(error) });
      return refused('filter-late', late);
    }
    return this.#take(step, verdict);
  }

  /** A decision when this verdict is one, undefined when the next filter is to look. */
  #take(step: StepParts, verdict: Verdict): Maybe<Decision | undefined> {
    this.#observer?.(step, verdict);
    if (verdict.verdict === 'pass') {
      this.#add(verdict.headers);
      const { challenge } = verdict;
      if (typeof challenge === 'string') checkHeaders({ [challengeHeader]: challenge });
      if (challenge !== undefined) {
        this.#challenges ??= [];
        this.#challenges.push(challenge);
      }
      return undefined;
    }
    if (verdict.verdict === 'refuse') {
      checkHeaders(verdict.response.headers);
      const response = this.#challenged(verdict.response);
      const error = verdict.isUndecided ? notDecided() : undefined;
      return { ...refused(reasonFrom(verdict.reason), response), caller: this.#subject, error };
    }
    if (verdict.verdict !== 'accept' || !isAccount(verdict.account)) throw new TypeError(junk);
    this.#add(verdict.headers);
    if (basicHeader.test(this.#context.request.authorization ?? '') && isOfOtherPage(this.#context.request)) {
      return refused(elsewhere.reason, this.#challenged(unauthorized));
    }
    const { account } = verdict;
    this.#context.users.entrance ??= { kind: undefined, by: [step.name] };
    return after(this.#context.users.find(account.name), (user) => this.#accept(account, user));
  }

  #add(headers: Readonly<Record<string, string>> | undefined): void {
    if (!headers) return;
    checkHeaders(headers);
    this.#headers = { ...this.#headers, ...headers };
  }

  /** The refusal with a challenge that fits the sender of the request, or the one that an earlier filter named. */
  #challenged(response: Refusal): Refusal {
    if (response.status !== 401) return response;
    let challenge = isOfOtherPage(this.#context.request) ? quietChallenge : undefined;
    for (const answered of this.#challenges ?? [])
      challenge = (typeof answered === 'function' ? answered() : answered) ?? challenge;
    if (challenge === undefined) return response;
    checkHeaders({ [challengeHeader]: challenge });
    const others = Object.entries(response.headers).filter(([name]) => name.toLowerCase() !== challengeHeader);
    return { status: 401, headers: { ...Object.fromEntries(others), [challengeHeader]: challenge } };
  }

  /** Accepts an account, unless the service user of that name is disabled. */
  #accept(account: Account, user: Awaited<ReturnType<RequestUsers['find']>>): Maybe<Decision | undefined> {
    if (user && !user.enabled) return refused('user-disabled', unauthorized);
    const caller = new Subject(account, user, this.#context.users, this.#context.users.proof?.actor);
    this.#subject = caller;
    const header = headerOf(this.#context.request.headers, this.#context.request.arrival, runAsHeader);
    // Before the filters that come after: it is the end user's roles that they have to look at.
    return header === null ? undefined : this.#actAs(caller, header);
  }

  async #actAs(caller: Subject, header: string): Promise<Decision | undefined> {
    const acting = await actAs(caller, header, this.#context.users);
    if ('subject' in acting) {
      this.#subject = acting.subject;
      return undefined;
    }
    if ('error' in acting) {
      const { error } = acting;
      return { granted: false, ...acting, reason: error.code, response: { status: error.status, headers: {} }, caller };
    }
    return { granted: false, ...acting, caller };
  }
}

const junk = 'Expected a filter to answer pass, accept with an account, or refuse';

/** Whether a filter that authenticates refuses anonymous callers, unless its brackets say `permissive`. */
function insists({ filter, options }: StepParts): boolean {
  return filter.authenticates === true && !(filter.isPermissive?.(options) ?? false);
}

/** Request as seen by one filter. Small, since it is created for each filter of each request. */
class View implements FilterRequest {
  readonly options: unknown;
  readonly caller: Subject | undefined;
  readonly #request: PipelineRequest;
  readonly #context: WalkContext;
  readonly #filter: string;
  #patience: Deadline | undefined;

  constructor(context: WalkContext, step: StepParts, caller: Subject | undefined) {
    this.#filter = step.name;
    this.options = step.options;
    this.caller = caller;
    this.#request = context.request;
    this.#context = context;
  }

  get method(): string {
    return this.#request.method;
  }

  get path(): string {
    return this.#request.path;
  }

  get rawPath(): string {
    return this.#request.rawPath;
  }

  get query(): string | undefined {
    return this.#request.query;
  }

  get headers(): Headers {
    return this.#request.headers;
  }

  get authorization(): string | null {
    return this.#request.authorization;
  }

  get address(): string | undefined {
    return this.#request.arrival.address;
  }

  get secure(): boolean {
    return this.#request.arrival.secure ?? false;
  }

  get port(): number {
    const port = /:(\d{1,5})$/.exec(this.headers.get('host') ?? '')?.[1];
    return port === undefined ? (this.secure ? 443 : 80) : Number(port);
  }

  secret(text: string): Secret {
    return new Secret(text);
  }

  login(credentials: Credentials): Maybe<LoginAnswer> {
    if (credentials.kind === 'password' && isOfOtherPage(this.#request)) return elsewhere;
    return this.#ours(this.#context.login(credentials, this.#context.users));
  }

  findUser(name: string): Maybe<ServiceUser | undefined> {
    return this.#ours(this.#context.users.find(name));
  }

  oauth2(): Maybe<OAuth2Setup> {
    return this.#ours(this.#context.oauth2());
  }

  /** Time that the filter has. Made where it waits: most never do. */
  get patience(): Deadline {
    const { clock, timeLimit } = this.#context.limits;
    this.#patience ??= new Deadline(clock, timeLimit, `the filter ${this.#filter}`);
    return this.#patience;
  }

  #ours<T>(work: Maybe<T>): Maybe<T> {
    if (!(work instanceof Promise)) return work;
    const { patience } = this;
    patience.pause();
    return work.finally(() => patience.resume());
  }
}
