import { ServiceError } from '../../core/lib/errors.ts';
import type { Committing, Participant, Statement } from '../../core/store/contract.ts';
import type { NewBytes } from '../../storage/public.ts';
import { criterionNames } from './counting/criteria-sql.ts';
import { allExact, bytesFit, clearBegan, itemsFit, quotaBytesFit } from './enforcement-sql.ts';
import { enforcedRules, type QuotaRuleRow } from './quota-rules/store.ts';
import { countedConcerns, evaluate, type QuotaParts } from './quota-work.ts';

/** Number of attempts after which commits ignore the usage of rules that change too fast to be counted. */
const patient = 4;

type Parts = Pick<QuotaParts, 'store' | 'clock' | 'log'>;
type Resource = 'items' | 'bytes';

const words = { storageGroup: 'storage group', tag: 'shape tag' } as const;
const units = ['bytes', 'kB', 'MB', 'GB', 'TB', 'PB'];

/** `1.5 GB` of a number of bytes. */
function sizeWords(bytes: number): string {
  const step = bytes < 1000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  return `${Math.floor((bytes / 1000 ** step) * 10) / 10} ${units[step]}`;
}

/** "The group editor", or "The group editor with the storage VX-1" of a rule with two criteria. */
function whoseLimit(rule: QuotaRuleRow): string {
  const names = criterionNames.flatMap((name) =>
    rule[name] === null ? [] : `the ${name in words ? words[name as keyof typeof words] : name} ${rule[name]}`,
  );
  const all = names.length === 0 ? 'the service' : names.join(' with ');
  return `T${all.slice(1)}`;
}

function exceeded(rule: QuotaRuleRow, resource: Resource): ServiceError {
  const { id, itemLimit, storageLimit, items, bytes } = rule;
  const limits =
    resource === 'items'
      ? `${itemLimit} ${itemLimit === 1 ? 'item' : 'items'}, and has ${items}`
      : `${sizeWords(storageLimit ?? 0)}, and has ${sizeWords(bytes)}`;
  const explanation = `${whoseLimit(rule)} may have ${limits}. An administrator can change this quota rule`;
  return new ServiceError('quota-exceeded', { type: 'quota-rule', id, explanation });
}

/** The enforced rules, each with a usage that is known. */
async function countedRules(parts: Parts): Promise<readonly QuotaRuleRow[]> {
  const rules = await enforcedRules(parts.store, {});
  const counted: QuotaRuleRow[] = [];
  for (const rule of rules)
    counted.push(rule.exact === 1 ? rule : ((await evaluate(parts, parts.store, rule.id)) ?? rule));
  return counted;
}

/** Guards that the bytes of an upload fit, and those of uploads that have begun. */
export async function bytesGuards(
  parts: Parts,
  { storageId: storage, fileId, bytes, for: owner }: NewBytes,
): Promise<readonly Statement[]> {
  const rules = await countedRules(parts);
  const item = owner && 'item' in owner ? owner.item : null;
  const user = owner && 'user' in owner ? owner.user : null;
  const values = { storage, file: fileId ?? null, bytes, item, user };
  return rules.map((rule) => quotaBytesFit({ id: rule.id, ...values }, exceeded(rule, 'bytes')));
}

/**
 * Refuses what a request would add beyond the limits of an enforced rule. The triggers have counted the commit by then,
 * so the guard judges what would be. The first attempt asks for all rules at once, and a second one names the rule.
 */
export function enforcement(parts: Parts): Participant {
  const stale = new ServiceError('quota-exceeded', {
    ...{ type: 'quota-rule', explanation: 'Expected a change within the limits of all quota rules' },
  });

  async function named(attempt: number, hasBytes: boolean): Promise<readonly Statement[]> {
    const rules = attempt < patient ? await countedRules(parts) : await enforcedRules(parts.store, {});
    const exact = attempt < patient ? [allExact({}, stale)] : [];
    return [
      ...exact,
      ...rules.flatMap((rule) => [
        itemsFit.one({ id: rule.id }, exceeded(rule, 'items')),
        ...(hasBytes ? [bytesFit.one({ id: rule.id }, exceeded(rule, 'bytes'))] : []),
      ]),
    ];
  }

  return {
    name: 'quota',
    concerns: countedConcerns,
    stale,
    before: ({ actor }) => (actor.request ? [clearBegan({})] : []),
    after({ actor, attempt, touches }: Committing) {
      if (!actor.request) return [];
      // Bytes that have their path are there, and their room was asked for before they came.
      const hasBytes = !touches.some(({ aspect }) => aspect === 'published');
      return attempt === 1 ? [(hasBytes ? bytesFit : itemsFit).all({}, stale)] : named(attempt, hasBytes);
    },
  };
}
