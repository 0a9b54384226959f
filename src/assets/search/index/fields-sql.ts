import { sql } from '../../../core/store/statement.ts';

/** Fields with values of an entity: rows of `named`, for a join. `number`: SQL of the number of the entity. */
export const listedFields = (number: string): string =>
  `search_fields AS kept ON kept.id = ${number} CROSS JOIN json_each(kept.fields) AS each
    CROSS JOIN search_field AS named ON named.id = each.value`;

export const fieldsOf = (number: string) => sql.raw(listedFields(number));
