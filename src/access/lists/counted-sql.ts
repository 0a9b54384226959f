const kinds = [
  ['item', 'items'],
  ['collection', 'collections'],
] as const;

const add = (kind: string, by: '+ 1' | '- 1'): string => `
       UPDATE "counter" SET "value" = "value" ${by} WHERE "name" = '${kind}';`;
const move = (row: 'OLD' | 'NEW', by: '+ 1' | '- 1'): string => `
       UPDATE "access_context" SET "entities" = "entities" ${by} WHERE "id" = ${row}."context";`;

/** Counters of items and collections, in total and per context, so that lists need not count rows. */
export const countedSchema: readonly string[] = [
  ...kinds.flatMap(([kind, name]) => [
    `INSERT INTO "counter" ("name", "value") VALUES ('${name}', 0)`,
    `CREATE TRIGGER "counted_${kind}_made" AFTER INSERT ON "${kind}" BEGIN${add(name, '+ 1')}${move('NEW', '+ 1')}
     END`,
    `CREATE TRIGGER "counted_${kind}_gone" AFTER DELETE ON "${kind}" BEGIN${add(name, '- 1')}${move('OLD', '- 1')}
     END`,
    `CREATE TRIGGER "counted_${kind}_moved" AFTER UPDATE OF "context" ON "${kind}"
       WHEN OLD."context" IS NOT NEW."context" BEGIN${move('OLD', '- 1')}${move('NEW', '+ 1')}
     END`,
  ]),
];
