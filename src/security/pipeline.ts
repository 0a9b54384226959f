import { isHeaderName } from '../core/lib/checks.ts';
import { ServiceError } from '../core/lib/errors.ts';
import { after, type Maybe } from '../core/lib/maybe.ts';
import { Secret } from '../core/lib/secret.ts';
import { addressedOrigin, pageSite } from '../kit/index.ts';
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
import { isAccount, type Login, reasonFrom } from './authenticator.ts';
import type { ChainParts, StepParts } from './ini/security-parts.ts';
import { compilePatterns } from './patterns.ts';
import { actAs, runAsHeader } from './run-as.ts';
import { type Directory, type RequestUsers, type StoredCaller, Subject } from './subject.ts';

/** Access to a body while it arrives. */
export interface ArrivingBody {
  /** Whether all bytes have arrived. */
  isWhole(): boolean;
  /** Takes the bytes if that many have arrived and no reader has begun. The request has no body then. */
  take(length: number): Uint8Array<ArrayBuffer> | undefined;
  /** Extends the time limit: it counts from the last byte. */
  takesTime(): void;
}

/** Data of a platform about a request, beside the `Request`. Read on demand. */
export interface Arrival {
  /** Request target from the socket: `Request.url` has normalised it already. */
  readonly rawTarget?: string | undefined;
  readonly address?: string | undefined;
  /** Whether the request came over TLS. */
  readonly secure?: boolean | undefined;
  /** Whether the request lacks the header, in lower case. Undefined if that costs as much as reading it. */
  lacks?(header: string): boolean;
  /** Undefined without a body, and if the runtime itself tells who reads it. */
  readonly body?: ArrivingBody | undefined;
  /** Why the parser of the platform could not read the request. There is nothing but this then. */
  readonly refusal?: ServiceError | undefined;
  /** The service itself sends a request that it kept for this caller. Filters that find out who asks are skipped. */
  readonly as?: StoredCaller | undefined;
  /** Guest of a share of that caller, for whom the service sends the request. */
  readonly guest?: Guest | undefined;
}

/** Person without an account, who came in by a share. */
export interface Guest {
  /** Id of the share. */
  readonly share: string;
  /** Name that the guest gave. */
  readonly name: string | undefined;
}

/** A header that most requests lack. */
export const headerOf = (headers: Headers, arrival: Arrival, name: string): string | null =>
  arrival.lacks?.(name) ? null : headers.get(name);

/** Request as seen by the pipeline, before there is a chain or a caller. */
export interface PipelineRequest
  extends Pick<FilterRequest, 'method' | 'path' | 'rawPath' | 'query' | 'headers' | 'authorization'> {
  readonly arrival: Arrival;
  /** Whether CORS lets pages of the origin of this request call the service. */
  readonly corsAllows?: boolean | undefined;
}

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
  readonly allowConfigUpdate: boolean;
  /** Current bearer configuration of the API. */
  oauth2(): Maybe<OAuth2Setup>;
}

const challengeHeader = 'www-authenticate';
/** A challenge for which browsers open no login window. */
const quietChallenge = 'Session';
const unauthorized: Refusal = { status: 401, headers: {} };
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
}: Parts): Pipeline {
  const contextOf = (request: PipelineRequest, loginOfWalk: Login) => {
    return { request, users: directory.open(request.arrival), login: loginOfWalk, oauth2 };
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

/** A header that no runtime sends would leave the caller without any answer. */
function checkHeaders(headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) {
    if (!isHeaderName(name) || !/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) throw new TypeError(junk);
  }
}

/**
 * Whether a page of another site sent the request, which CORS does not allow. Browsers add a user name and a password
 * that they remember to such requests, whatever their method.
 */
function isOfOtherPage({ headers, arrival, corsAllows }: PipelineRequest): boolean {
  const isOfProgram = arrival.lacks?.('sec-fetch-site') && arrival.lacks('origin');
  if (isOfProgram || corsAllows) return false;
  return pageSite(headers, addressedOrigin(arrival.secure ?? false, headers)) === 'other';
}

/** Credentials of a kind that browsers remember. */
const basicHeader = /^basic(?: |$)/i;
const elsewhere = { accepted: false, reason: 'credentials-elsewhere' } as const;

/** Context shared by all filters of a request. */
interface WalkContext {
  readonly request: PipelineRequest;
  readonly users: RequestUsers;
  readonly login: Login;
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
  /** Of the filters so far, the newest last. */
  #challenges: Challenge[] | undefined;

  constructor(steps: readonly StepParts[], context: WalkContext, observer?: Observer) {
    this.#observer = observer;
    this.#steps = steps;
    this.#context = context;
  }

  /** Asks again whether the caller of a kept request may come in, then walks as for a caller who just did. */
  async resume(stored: StoredCaller): Promise<Decision> {
    const resumed = await this.#context.users.resume(stored);
    if (resumed instanceof Subject) {
      this.#subject = resumed;
      return this.from(0);
    }
    // Not 401, which has no body: the kept answer is all that tells why.
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
      const taken =
        verdict instanceof Promise ? verdict.then((late) => this.#take(step, late)) : this.#take(step, verdict);
      if (taken instanceof Promise) return taken.then((decision) => decision ?? this.from(index + 1));
      if (taken) return taken;
    }
    if (!this.#subject && this.#steps.some(insists))
      return refused('nobody-authenticated', this.#challenged(unauthorized));
    return { granted: true, subject: this.#subject, headers: this.#headers };
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
      return { ...refused(reasonFrom(verdict.reason), response), caller: this.#subject };
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

  constructor(context: WalkContext, step: StepParts, caller: Subject | undefined) {
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
    return this.#context.login(credentials, this.#context.users);
  }

  findUser(name: string): Maybe<ServiceUser | undefined> {
    return this.#context.users.find(name);
  }

  oauth2(): Maybe<OAuth2Setup> {
    return this.#context.oauth2();
  }
}
