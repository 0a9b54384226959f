import { matchingNamespace } from '../../definitions/public.ts';
import type { ExternalIdPlace } from '../../entities/external-ids/routes.ts';
import { entityAt } from '../../entities/place.ts';
import { role } from '../../http/route.ts';
import type { EntityKind } from '../../room/entity.ts';
import type { Reader } from '../../store/statement.ts';
import { ruleName } from './rules.ts';
import { findRule, type RuleRow, ruleThere } from './store.ts';

export const read = role('_quota_read');
export const write = role('_quota_write');

export const ruleKind = (reader: Reader): EntityKind<RuleRow> => ({
  ...ruleName,
  find: (id) => findRule(reader, { id }),
  mustExist: ruleThere,
});

/** External ids had no namespaces here at first, so one that no pattern matches is kept without. */
export const rulePlace = (reader: Reader): ExternalIdPlace<RuleRow> => ({
  ...entityAt(reader, ruleKind(reader), { path: '/quota/:rule', read, write, acting: 'allowed' }),
  namespaceOf: (externalId) => matchingNamespace(reader, externalId),
});
