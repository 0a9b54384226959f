import type { Explanation } from '../documents/index.ts';
import { textToBase64 } from '../lib/base64.ts';
import type { LoginAnswer, Verdict } from '../spi/index.ts';
import { canonicalTarget, type TakesOpaque } from './path.ts';
import type { Pipeline } from './pipeline.ts';

export interface Question {
  readonly method: string;
  /** As it would come over the wire. */
  readonly target: string;
  /** Who is asking, taken as logged in whatever the password. Undefined: nobody. */
  readonly user: string | undefined;
}

/** The chain that a request would meet, what each filter would answer, and why. Nothing is carried out. */
export async function explain(
  pipeline: Pipeline,
  { method, target, user }: Question,
  takesOpaque: TakesOpaque,
): Promise<Explanation> {
  const { path, rawPath, query } = canonicalTarget(target, takesOpaque);
  const chain = pipeline.chainOf(path);
  const step: NonNullable<Explanation['step']>[number][] = [];
  // Filters read credentials, so they are given some; whether they are good is what is assumed.
  const authorization = user === undefined ? null : `Basic ${textToBase64(`${user}:assumed`)}`;
  const headers = new Headers({ host: 'localhost', ...(authorization === null ? {} : { authorization }) });
  const login = (): LoginAnswer =>
    user === undefined ? { accepted: false, reason: 'nobody-asked' } : { accepted: true, account: { name: user } };
  const request = { method, path, rawPath, query, headers, authorization, arrival: { address: '127.0.0.1' } };
  const decision = await pipeline.trace(request, login, ({ name }, answer) => step.push({ name, ...told(answer) }));
  return {
    method,
    path,
    pattern: chain?.pattern,
    line: chain?.line,
    step,
    granted: decision.granted,
    ...(decision.granted
      ? { user: decision.subject?.name }
      : { reason: decision.reason, status: decision.response.status }),
  };
}

function told(answer: Verdict | 'skipped') {
  if (answer === 'skipped') return { answer: 'skipped' } as const;
  if (answer.verdict === 'refuse') {
    return { answer: 'refuse', reason: answer.reason, status: answer.response.status } as const;
  }
  return answer.verdict === 'accept'
    ? ({ answer: 'accept', user: answer.account.name } as const)
    : ({ answer: 'pass' } as const);
}

/** As a person reads it. */
export function explanationText({
  method,
  path,
  pattern,
  line,
  step,
  granted,
  user,
  reason,
  status,
}: Explanation): string {
  const lines = [
    `${method} ${path}`,
    pattern === undefined ? 'No chain matches: refused' : `Chain ${pattern}${line ? ` (line ${line})` : ' (built in)'}`,
    ...(step ?? []).map((each) =>
      [`  ${each.name}: ${each.answer}`, each.user, each.reason, each.status]
        .filter((part) => part !== undefined)
        .join(' '),
    ),
    granted ? `Granted to ${user ?? 'anybody'}` : `Refused: ${status} ${reason}`,
  ];
  return `${lines.join('\r\n')}\r\n`;
}
