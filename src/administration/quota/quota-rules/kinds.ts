import { externalIdPlace } from '../../../assets/definitions/public.ts';
import type { Reader } from '../../../core/store/statement.ts';
import { role } from '../../../http/route.ts';
import type { ExternalIdResource } from '../../../room/entities/external-ids/routes.ts';
import { entityAt } from '../../../room/entities/place.ts';
import type { EntityKind } from '../../../room/entity.ts';
import { ruleName } from './rules.ts';
import { findQuotaRule, type QuotaRuleRow, quotaRuleThere } from './store.ts';

export const read = role('_quota_read');
export const write = role('_quota_write');

export const ruleKind = (reader: Reader): EntityKind<QuotaRuleRow> => ({
  ...ruleName,
  find: (id) => findQuotaRule(reader, { id }),
  mustExist: quotaRuleThere,
});

export const quotaRuleResource = (reader: Reader): ExternalIdResource<QuotaRuleRow> =>
  externalIdPlace(
    { store: reader },
    entityAt(reader, ruleKind(reader), { path: '/quota/:rule', read, write, acting: 'allowed' }),
  );
