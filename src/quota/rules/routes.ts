import { externalIdRoutes } from '../../entities/external-ids/routes.ts';
import { mostExternalIds } from '../../entities/external-ids/rules.ts';
import { externalIdsOf, externalIdWeights } from '../../entities/external-ids/store.ts';
import { entityNamed } from '../../entities/find.ts';
import { lotsOf, pageWithin } from '../../entities/page-weight.ts';
import { type Call, optionalDocument, requireDocument } from '../../http/call.ts';
import { documentTypes, type MediaType } from '../../http/negotiation.ts';
import { date, pageOf } from '../../http/parameters/index.ts';
import { renderList } from '../../http/render-list.ts';
import { done, located, type Reply } from '../../http/reply.ts';
import { type Route, route } from '../../http/route.ts';
import { serialOf } from '../../media/public-reading.ts';
import { accountOf } from '../../security/caller.ts';
import type { Reader } from '../../store/statement.ts';
import { quotaHistoryDocument, quotaRuleDocument, quotaRuleListDocument } from '../documents/quota-rule.ts';
import { evaluate, overLimit } from '../evaluation/evaluate.ts';
import { dayOf, firstUsage, keptDays, timeOf, type Usage, usageOfRule } from '../evaluation/usage.ts';
import type { QuotaParts } from '../parts.ts';
import { quotaRuleFrom } from './documents.ts';
import { quotaRuleResource, read, ruleKind, write } from './kinds.ts';
import { namedBy } from './named.ts';
import { content, readFilter, ruleListParameters } from './parameters.ts';
import { createRule, deleteQuotaRule, noSuchQuotaRule, readRule, replaceRule, ruleName } from './rules.ts';
import { descriptionsOf, pointsOf, type QuotaRuleRow, rulesBehind } from './store.ts';

/** Rules whose usage is looked at together. */
const slice = 100;

/** Rules about how much there may be, and how much there is. */
export function ruleRoutes(parts: QuotaParts): readonly Route[] {
  const { store, clock, limits, settings, render } = parts;
  const onRule = '/quota/:rule';
  const ruleNamed = (name: string): Promise<QuotaRuleRow> => entityNamed(store, ruleKind(store), name);
  const readerOf = (call: Call): Reader => store.reader(accountOf(call));

  async function told(reader: Reader, rows: readonly (readonly [QuotaRuleRow, Usage])[], withIds: boolean) {
    const ids = rows.map(([{ id }]) => id);
    if (withIds && ids.length > 1) {
      const weightOf = await externalIdWeights(reader, ruleName.type, ids);
      lotsOf(ids, weightOf, parts.settings.maxPageValues);
    }
    const external = withIds ? await externalIdsOf(reader, ruleName.type, ids, mostExternalIds) : undefined;
    return rows.map(([row, usage]) => quotaRuleFrom(row, usage, external?.get(row.id)));
  }

  async function answer(call: Call, type: MediaType, row: QuotaRuleRow, withIds = false): Promise<Reply> {
    const reader = readerOf(call);
    const [document] = await told(reader, [[row, await usageOfRule(reader, row)]], withIds);
    return render(type, quotaRuleDocument, document!);
  }

  /** Counted again, and never older than the call. */
  async function counted(call: Call, id: string): Promise<QuotaRuleRow> {
    const row = await evaluate(parts, readerOf(call), id);
    if (row) return row;
    throw noSuchQuotaRule(id);
  }

  /** A page of rules with their usage. `exceeded` needs the usage of each rule to filter. */
  async function pageOfRules(call: Call, filter: object, exceeded: boolean, skip: number, most: number) {
    const reader = readerOf(call);
    const found: (readonly [QuotaRuleRow, Usage])[] = [];
    let [after, skipped] = [-1, 0];
    while (found.length < most) {
      const rows = await rulesBehind(reader, { ...filter, exceeded: exceeded ? 1 : 0, after, limit: slice });
      for (const row of rows) {
        if (found.length === most) break;
        if (!exceeded && skipped++ < skip) continue;
        const usage = await usageOfRule(reader, row);
        if (exceeded && (!overLimit(row, usage) || skipped++ < skip)) continue;
        found.push([row, usage]);
      }
      if (rows.length < slice) break;
      after = rows.at(-1)!.serial;
    }
    const ids = JSON.stringify(found.map(([{ id }]) => id));
    const described = await pageWithin(descriptionsOf, reader, { ids }, parts.settings.maxPageValues);
    const descriptions = new Map(described.map(({ id, description }) => [id, description]));
    return found.map(([row, usage]) => [{ ...row, description: descriptions.get(row.id) ?? null }, usage] as const);
  }

  return [
    route({
      method: 'POST',
      path: '/quota',
      says: 'Creates a quota rule. Answers it with its usage.',
      reads: quotaRuleDocument,
      answers: quotaRuleDocument,
      access: write,
      acting: 'allowed',
      produces: documentTypes,
      async handle(call, type) {
        const document = await requireDocument(call, quotaRuleDocument, limits);
        const values = readRule(document, await namedBy(store, document));
        const usage = await firstUsage(readerOf(call), values);
        const id = await store.nextId('quota-rule');
        await call.commit(createRule(id, serialOf(id), values, usage, clock.now()));
        return located(await answer(call, type, await counted(call, id)), call, 'quota', id);
      },
    }),
    route({
      method: 'GET',
      path: '/quota',
      says: 'The quota rules, in order of creation.',
      query: ruleListParameters(settings.maxPage),
      answers: quotaRuleListDocument,
      access: read,
      produces: documentTypes,
      async handle(call, type) {
        const { query } = call;
        const { offset, limit } = pageOf(query);
        const rows = await pageOfRules(call, readFilter(query.filter), query.exceeded, offset, limit);
        const rule = await told(readerOf(call), rows, query.content !== undefined);
        return renderList(render, type, quotaRuleListDocument, rule.length > 0 ? { rule } : {}, 'rule');
      },
    }),
    route({
      method: 'GET',
      path: onRule,
      says: 'One quota rule with its current usage.',
      query: { content },
      answers: quotaRuleDocument,
      access: read,
      produces: documentTypes,
      handle: async (call, type, params) =>
        answer(call, type, await ruleNamed(params.rule), call.query.content !== undefined),
    }),
    route({
      method: 'PUT',
      path: onRule,
      says: 'Replaces a quota rule. Without a document, evaluates it again.',
      reads: [quotaRuleDocument, 'nothing'],
      answers: [quotaRuleDocument, 'nothing'],
      access: write,
      acting: 'allowed',
      produces: documentTypes,
      async handle(call, type, params) {
        const { id } = await ruleNamed(params.rule);
        const document = await optionalDocument(call, quotaRuleDocument, limits);
        if (document === undefined) {
          await counted(call, id);
          return done;
        }
        await call.commit(replaceRule(id, readRule(document, await namedBy(store, document))));
        return answer(call, type, await counted(call, id));
      },
    }),
    route({
      method: 'PUT',
      path: `${onRule}/evaluate`,
      says: 'Evaluates a quota rule again.',
      access: write,
      acting: 'allowed',
      produces: [],
      async handle(call, _type, params) {
        await counted(call, (await ruleNamed(params.rule)).id);
        return done;
      },
    }),
    route({
      method: 'DELETE',
      path: onRule,
      says: 'Deletes a quota rule with its external ids and notifications.',
      access: write,
      acting: 'allowed',
      produces: [],
      async handle(call, _type, params) {
        const row = await ruleNamed(params.rule);
        await call.commit(deleteQuotaRule(row, await usageOfRule(readerOf(call), row)));
        return done;
      },
    }),
    route({
      method: 'GET',
      path: `${onRule}/history`,
      says: 'The usage of a quota rule on each day.',
      query: { since: date('Only from this day on') },
      answers: quotaHistoryDocument,
      access: read,
      produces: documentTypes,
      async handle(call, type, params) {
        const row = await ruleNamed(params.rule);
        const from = call.query.since === undefined ? 0 : dayOf(call.query.since);
        const points = await pointsOf(readerOf(call), { id: row.id, from, limit: keptDays + 1 });
        const day = points.map(({ day: at, items, bytes }) => ({
          date: timeOf(at),
          ...(row.itemLimit !== null && { item: items }),
          ...(row.storageLimit !== null && { storage: bytes }),
        }));
        return render(type, quotaHistoryDocument, { id: row.id, day });
      },
    }),
    ...externalIdRoutes(parts, quotaRuleResource(store)),
  ];
}
