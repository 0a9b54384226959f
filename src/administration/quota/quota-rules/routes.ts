import { externalIdPlace } from '../../../assets/definitions/public.ts';
import { existing } from '../../../core/lib/checks.ts';
import { askEach } from '../../../core/lib/maybe.ts';
import { serialOf } from '../../../core/lib/serial.ts';
import type { Reader } from '../../../core/store/statement.ts';
import { answer } from '../../../http/answers.ts';
import type { Call } from '../../../http/call.ts';
import { raw } from '../../../http/forms.ts';
import { badParameter, choice, date, flag, list, page, pageOf, text } from '../../../http/parameters/index.ts';
import { optional } from '../../../http/reads.ts';
import { done } from '../../../http/reply.ts';
import { type Route, role, route } from '../../../http/route.ts';
import { type ExternalIdResource, externalIdRoutes } from '../../../room/entities/external-ids/routes.ts';
import { maxExternalIds } from '../../../room/entities/external-ids/rules.ts';
import { externalIdsOf, externalIdWeights } from '../../../room/entities/external-ids/store.ts';
import { pathEntity } from '../../../room/entities/find.ts';
import { lotsOf, pageWithin } from '../../../room/entities/page-weight.ts';
import { entityAt } from '../../../room/entities/place.ts';
import type { EntityKind } from '../../../room/entity.ts';
import { type CriterionName, criterionNames } from '../counting/criteria-sql.ts';
import { evaluate, overLimit, type QuotaParts } from '../quota-work.ts';
import { dayOf, firstUsage, keptDays, startOfDay, type Usage, usageOfRule } from '../usage.ts';
import {
  type QuotaRule,
  quotaHistoryDocument,
  quotaRuleDocument,
  quotaRuleFrom,
  quotaRuleListDocument,
} from './documents.ts';
import { namedBy } from './named.ts';
import { createRule, deleteQuotaRule, noSuchQuotaRule, readRule, replaceRule, ruleName } from './rules.ts';
import {
  descriptionsOf,
  everyRule,
  findQuotaRule,
  pointsOf,
  type QuotaRuleRow,
  quotaRuleThere,
  type RuleFilter,
  rulesBehind,
} from './store.ts';

const read = role('_quota_read');
const write = role('_quota_write');

export const ruleKind = (reader: Reader): EntityKind<QuotaRuleRow> => ({
  ...ruleName,
  find: (id) => findQuotaRule(reader, { id }),
  mustExist: quotaRuleThere,
});

const quotaRuleResource = (reader: Reader): ExternalIdResource<QuotaRuleRow> =>
  externalIdPlace(
    { store: reader },
    entityAt(reader, ruleKind(reader), { path: '/quota/:rule', read, write, acting: 'allowed' }),
  );

const content = list(choice('Adds the external ids', ['external']));

const ruleListParameters = (max: number) => ({
  content,
  filter: text('Only rules with these criteria: pairs such as `user=anna,storage=VX-3`'),
  exceeded: flag('Only rules whose usage exceeds a limit', false),
  ...page(max),
});

const isCriterion = (name: string): name is CriterionName => (criterionNames as readonly string[]).includes(name);

/** `user=anna,storage=VX-3`. A criterion that is left out is not rowsOfPage for. */
function readFilter(given = ''): RuleFilter {
  const filter: Record<CriterionName, string | null> = { ...everyRule };
  for (const pair of given.split(',').map((each) => each.trim())) {
    if (pair === '') continue;
    const at = pair.indexOf('=');
    if (at < 0) throw badParameter('filter', 'Expected pairs such as user=anna', pair);
    const name = pair.slice(0, at).trim();
    if (!isCriterion(name)) throw badParameter('filter', `Expected one of ${criterionNames.join(', ')}`, name);
    filter[name] = pair.slice(at + 1).trim();
  }
  return filter;
}

/** Rules whose usage is looked at together. */
const slice = 100;

/** Rules about how much there may be, and how much there is. */
export function ruleRoutes(parts: QuotaParts): readonly Route[] {
  const { store, clock, settings, render } = parts;
  const onRule = '/quota/:rule';
  const entities = { rule: pathEntity(store, ruleKind(store)) };
  const readerOf = (call: Call): Reader => call.reader;

  async function documentsOf(reader: Reader, rows: readonly (readonly [QuotaRuleRow, Usage])[], withIds: boolean) {
    const ids = rows.map(([{ id }]) => id);
    if (withIds && ids.length > 1) {
      const weightOf = await externalIdWeights(reader, ruleName.type, ids);
      lotsOf(ids, weightOf, parts.settings.maxPageValues);
    }
    const external = withIds ? await externalIdsOf(reader, ruleName.type, ids, maxExternalIds) : undefined;
    return rows.map(([row, usage]) => quotaRuleFrom(row, usage, external?.get(row.id)));
  }

  async function documentOf(call: Call, row: QuotaRuleRow, withIds = false): Promise<QuotaRule> {
    const reader = readerOf(call);
    const [document] = await documentsOf(reader, [[row, await usageOfRule(reader, row)]], withIds);
    return document!;
  }

  /** Counted again, and never older than the call. */
  async function counted(call: Call, id: string): Promise<QuotaRuleRow> {
    return existing(await evaluate(parts, readerOf(call), id), noSuchQuotaRule, id);
  }

  /** A page of rules with their usage. `exceeded` needs the usage of each rule to filter. */
  async function pageOfRules(call: Call, filter: object, exceeded: boolean, skip: number, max: number) {
    const reader = readerOf(call);
    const rules: (readonly [QuotaRuleRow, Usage])[] = [];
    let [after, skipped] = [-1, 0];
    while (rules.length < max) {
      const rows = await rulesBehind(reader, { ...filter, exceeded: exceeded ? 1 : 0, after, limit: slice });
      // Rules before the page have no usage, unless it decides which they are.
      const rowsOfPage = exceeded ? rows : rows.slice(Math.max(skip - skipped, 0)).slice(0, max - rules.length);
      if (!exceeded) skipped += rows.length - rowsOfPage.length;
      const usages = await askEach(rowsOfPage, (row) => usageOfRule(reader, row));
      for (const [index, row] of rowsOfPage.entries()) {
        if (rules.length === max) break;
        const usage = usages[index]!;
        if (exceeded && (!overLimit(row, usage) || skipped++ < skip)) continue;
        rules.push([row, usage]);
      }
      if (rows.length < slice) break;
      after = rows.at(-1)!.serial;
    }
    const ids = rules.map(([{ id }]) => id);
    const described = await pageWithin(descriptionsOf, reader, { ids }, parts.settings.maxPageValues);
    const descriptions = new Map(described.map(({ id, description }) => [id, description]));
    return rules.map(([row, usage]) => [{ ...row, description: descriptions.get(row.id) ?? null }, usage] as const);
  }

  return [
    route({
      method: 'POST',
      path: '/quota',
      says: 'Creates a quota rule. Answers it with its usage.',
      reads: quotaRuleDocument,
      answers: quotaRuleDocument,
      location: ({ id = '' }) => ['quota', id],
      access: write,
      acting: 'allowed',
      async handle(call) {
        const values = readRule(call.body, await namedBy(store, call, call.body));
        const usage = await firstUsage(readerOf(call), values);
        const id = await store.nextId('quota-rule');
        await call.commit(createRule(id, serialOf(id), values, usage, clock.now()));
        return documentOf(call, await counted(call, id));
      },
    }),
    route({
      method: 'GET',
      path: '/quota',
      says: 'The quota rules, in order of creation.',
      query: ruleListParameters(settings.maxPage),
      answers: answer(quotaRuleListDocument, { list: 'rule' }),
      access: read,
      async handle(call) {
        const { query } = call;
        const { offset, limit } = pageOf(query);
        const rows = await pageOfRules(call, readFilter(query.filter), query.exceeded, offset, limit);
        const rule = await documentsOf(readerOf(call), rows, query.content !== undefined);
        return rule.length > 0 ? { rule } : {};
      },
    }),
    route({
      method: 'GET',
      path: onRule,
      says: 'One quota rule with its current usage.',
      entities,
      query: { content },
      answers: quotaRuleDocument,
      access: read,
      handle: (call, { rule }) => documentOf(call, rule, call.query.content !== undefined),
    }),
    route({
      method: 'PUT',
      path: onRule,
      says: 'Replaces a quota rule. Without a document, evaluates it again.',
      entities,
      reads: optional(quotaRuleDocument),
      answers: raw([quotaRuleDocument, 'nothing']),
      access: write,
      acting: 'allowed',
      async handle(call, { rule: { id } }) {
        if (!call.body) {
          await counted(call, id);
          return done;
        }
        await call.commit(replaceRule(id, readRule(call.body, await namedBy(store, call, call.body))));
        return render(call.type, quotaRuleDocument, await documentOf(call, await counted(call, id)));
      },
    }),
    route({
      method: 'PUT',
      path: `${onRule}/evaluate`,
      says: 'Evaluates a quota rule again.',
      entities,
      access: write,
      acting: 'allowed',
      async handle(call, { rule: { id } }) {
        await counted(call, id);
      },
    }),
    route({
      method: 'DELETE',
      path: onRule,
      says: 'Deletes a quota rule with its external ids and notifications.',
      entities,
      access: write,
      acting: 'allowed',
      async handle(call, { rule }) {
        await call.commit(deleteQuotaRule(rule, await usageOfRule(readerOf(call), rule)));
      },
    }),
    route({
      method: 'GET',
      path: `${onRule}/history`,
      says: 'The usage of a quota rule on each day.',
      entities,
      query: { since: date('Only from this day on') },
      answers: quotaHistoryDocument,
      access: read,
      async handle(call, { rule }) {
        const from = call.query.since === undefined ? 0 : dayOf(call.query.since);
        const points = await pointsOf(readerOf(call), { id: rule.id, from, limit: keptDays + 1 });
        const day = points.map(({ day: at, items, bytes }) => ({
          date: startOfDay(at),
          ...(rule.itemLimit !== null && { item: items }),
          ...(rule.storageLimit !== null && { storage: bytes }),
        }));
        return { id: rule.id, day };
      },
    }),
    ...externalIdRoutes(parts, quotaRuleResource(store)),
  ];
}
