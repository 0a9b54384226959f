import { ServiceError } from '../../core/lib/errors.ts';
import type { Committing, Participant, Statement } from '../../core/store/contract.ts';
import { allExact, clearBegan, enforcedRules, itemsAlone, itemsAndBytes, quotaBytesFit } from './enforcement-sql.ts';
import { countedConcerns, evaluate, type QuotaParts } from './quota-work.ts';

/** Number of attempts after which commits ignore the usage of rules that change too fast to be counted. */
const patient = 4;

const exceeded = (id?: string): ServiceError => {
  const explanation = 'Expected a change within the limits of the quota rule, which is enforced';
  return new ServiceError('quota-exceeded', { type: 'quota-rule', ...(id !== undefined && { id }), explanation });
};

type Parts = Pick<QuotaParts, 'store' | 'clock' | 'log'>;

/** The enforced rules, each with a usage that is known. */
async function countedRules(parts: Parts): Promise<readonly { readonly id: string }[]> {
  const rules = await enforcedRules(parts.store, {});
  for (const { id, exact } of rules) if (exact === 0) await evaluate(parts, parts.store, id);
  return rules;
}

/** Guards that the bytes of an upload fit, and those of uploads that have begun. */
export async function roomFor(
  parts: Parts,
  {
    storageId: storage,
    fileId: file = null,
    bytes,
  }: { storageId: string; fileId: string | null | undefined; bytes: number },
): Promise<readonly Statement[]> {
  return (await countedRules(parts)).map(({ id }) => quotaBytesFit({ id, storage, file, bytes }, exceeded(id)));
}

/**
 * Refuses what a request would add beyond the limits of an enforced rule. The triggers have counted the commit by then,
 * so the guard judges what would be. The first attempt asks for all rules at once, and a second one names the rule.
 */
export function enforcement(parts: Parts): Participant {
  const stale = exceeded();

  async function named(attempt: number, fits: typeof itemsAlone.one): Promise<readonly Statement[]> {
    const rules = attempt < patient ? await countedRules(parts) : await enforcedRules(parts.store, {});
    const exact = attempt < patient ? [allExact({}, stale)] : [];
    return [...exact, ...rules.map(({ id }) => fits({ id }, exceeded(id)))];
  }

  return {
    name: 'quota',
    concerns: countedConcerns,
    stale,
    before: ({ actor }) => (actor.request ? [clearBegan({})] : []),
    after({ actor, attempt, touches }: Committing) {
      if (!actor.request) return [];
      // Bytes that have their path are there, and their room was asked for before they came.
      const isPublished = touches.some(({ aspect }) => aspect === 'published');
      const { all, one } = isPublished ? itemsAlone : itemsAndBytes;
      return attempt === 1 ? [all({}, stale)] : named(attempt, one);
    },
  };
}
