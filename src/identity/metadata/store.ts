import { sql } from 'drizzle-orm';
import { guard } from '../../core/store/guard.ts';
import { value } from '../../core/store/statement.ts';

export const preferencesWithin = guard(
  sql`(SELECT TOTAL(octet_length(key) + octet_length(value)) FROM key_value WHERE entity_type = 'user'
    AND entity_id = ${value('id')} AND key >= 'portico.ui.' AND key < 'portico.ui/') <= ${value('most')}`,
);
