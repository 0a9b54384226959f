import { findItem, itemMustExist } from '../../../assets/items/contract/store.ts';
import type { ItemsContext } from '../../../assets/items/public.ts';
import { expectUnlocked, prepareMetadata } from '../../../assets/metadata/public.ts';
import { itemGone } from '../../../assets/shapes/public.ts';
import { DocumentError, readJson } from '../../../core/documents/index.ts';
import { ServiceError } from '../../../core/lib/errors.ts';
import { changedMeanwhile, isChanged } from '../../../core/lib/retry-when-changed.ts';
import { storable } from '../../../core/lib/storable.ts';
import { ScriptFails } from '../../../core/scripts/run-script.ts';
import { changing } from '../../../core/store/commit-plan.ts';
import { type Statement, systemActor } from '../../../core/store/contract.ts';
import { type Piece, type PieceContext, type WorkKind, workKind } from '../../../core/work/work-kind.ts';
import { changeInTurn } from '../../../room/entities/changes.ts';
import { autoProjectionRuleDocument } from './documents.ts';
import { startingCommits, wroteByRule } from './participant.ts';
import { runRule, startsAt } from './run-rule.ts';
import {
  countDueProjections,
  type DueProjection,
  dueIsStill,
  endDue,
  keepDue,
  nextDueProjection,
  nextRule,
  projectionsDue,
  ruleDone,
  setFailure,
  takeDue,
} from './store.ts';
import { inputFor } from './wrapper.ts';

/** Lease in milliseconds: afterwards another instance may take the item. */
const leaseTime = 120_000;
/** Maximum of rows counted for metrics. */
const counted = 100_000;
const maxSaidLength = 500;

/** The lease ran out and another instance took the item. */
const lost = changedMeanwhile('Item', 'auto-projection');

/** User name for a rule. No real user can have it: names contain no slash. */
const userOf = (rule: string): string => `auto-projection/${rule}`;

/** Runs auto-projection rules on items whose metadata changed. The changes of a rule form a change set of their own. */
export function autoProjectionKind(parts: ItemsContext): WorkKind {
  const { store, clock, limits, log, settings } = parts;

  /** Takes the lease. False: another instance was faster. */
  async function take({ itemId, cause, targetId, due }: DueProjection, until: number): Promise<boolean> {
    const key = { itemId, cause, targetId };
    try {
      await store.commit(changing(dueIsStill({ ...key, due }, lost), takeDue({ ...key, until })), systemActor);
      return true;
    } catch (error) {
      if (error === lost) return false;
      throw error;
    }
  }

  async function carryOut(row: DueProjection, until: number, held: PieceContext): Promise<void> {
    const { itemId, cause, targetId } = row;
    const key = { itemId, cause, targetId };
    let due = until;
    let isMine = dueIsStill({ ...key, due }, lost);
    let behind = row.done;
    while (await findItem(store, { id: itemId })) {
      const rule = await nextRule(store, { behind });
      if (!rule) break;
      if (clock.now() > due - leaseTime / 2) {
        const later = clock.now() + leaseTime;
        await store.commit(changing(isMine, keepDue({ ...key, until: later })), systemActor);
        due = later;
        isMine = dueIsStill({ ...key, due }, lost);
      }
      behind = rule.name;
      const end = ruleDone({ ...key, name: behind });
      const says = await applied(row, rule, [isMine], [end]);
      if (says === undefined) continue;
      held.failed(`${behind} on ${itemId}: ${says}`);
      log.write('warn', 'auto-projection-failed', { rule: behind, item: itemId, error: says });
      const failure = setFailure({ name: behind, now: clock.now(), says: `${itemId}: ${says}` });
      await store.commit(changing(isMine, failure, end), systemActor);
    }
    await store.commit(changing(isMine, ...endDue(key, clock.now())), systemActor);
  }

  /** Runs one rule and returns the reason of a failure. Undefined: it succeeded, or the change does not concern it. */
  async function applied(
    row: DueProjection,
    { name, content }: { readonly name: string; readonly content: Uint8Array<ArrayBuffer> },
    ahead: readonly Statement[],
    behind: readonly Statement[],
  ): Promise<string | undefined> {
    const owner = { kind: 'item', id: row.itemId } as const;
    const by = userOf(name);
    const gone = itemGone(owner.id);
    try {
      const rule = readJson(autoProjectionRuleDocument, content, limits);
      if (!startsAt(rule, row.cause)) return undefined;
      const styling = { now: clock.now(), namespace: settings.schemaNamespace };
      const document = await runRule(rule, await inputFor(store, row, rule, limits), limits, styling);
      if (document === undefined) return undefined;
      await changeInTurn(parts, owner, async () => {
        const { changes, events, touches = [], fields } = await prepareMetadata(parts, owner, [{ by, document }]);
        if (changes.length === 0) return;
        const guards = [itemMustExist(owner.id, gone), expectUnlocked(owner, by, fields, clock.now())];
        await store.commit(
          {
            changes: [...ahead, ...guards, ...changes, ...behind],
            events,
            touches: [...touches, wroteByRule(name)],
          },
          { user: by, depth: row.depth },
        );
      });
      return undefined;
    } catch (error) {
      if (error === gone) return undefined;
      if (error === lost || !isOfRule(error)) throw error;
      return storable(error instanceof ServiceError ? saidBy(error) : error.message, maxSaidLength);
    }
  }

  return workKind<Piece>({
    name: 'auto-projections',
    says: 'Carries out auto-projection rules on items whose metadata, or that of their shapes, changed',
    priority: 66,
    concurrency: 1,
    wokenBy: startingCommits,
    // Clients change metadata in several requests: a short delay lets one run see them all.
    gathers: 100,
    due: () => projectionsDue,
    claim: async () => [{ key: 'items' }],
    async do(_piece, held) {
      while (held.mayGoOn()) {
        const row = await nextDueProjection(store, {});
        const now = clock.now();
        if (row === undefined || row.due > now) return;
        const until = now + leaseTime;
        if (!(await take(row, until))) continue;
        try {
          await carryOut(row, until, held);
          held.done();
        } catch (error) {
          if (error !== lost) throw error;
        }
      }
    },
    async measure() {
      const row = await countDueProjections(store, { limit: counted });
      return { waiting: row?.waiting ?? 0, oldest: row?.oldest ?? undefined };
    },
  });
}

/** Faults of the rule. Other errors are faults of the service, and the item is retried. */
const isOfRule = (error: unknown): error is ServiceError | ScriptFails | DocumentError =>
  error instanceof ScriptFails ||
  error instanceof DocumentError ||
  (error instanceof ServiceError && error.status < 500 && !isChanged(error));

const saidBy = ({ code, detail: { explanation, context, id, type, value } }: ServiceError): string =>
  [code, explanation, context ?? type, value ?? id].filter((part) => part !== undefined).join(': ');
