import { accessSchema } from '../access/contexts/triggers-sql.ts';
import { countedSchema } from '../access/lists/counted-sql.ts';
import { attachmentTriggers } from '../metadata/attachments/triggers-sql.ts';
import { folderTriggers } from '../placing/folder-triggers-sql.ts';
import { shapeRuleTriggers } from '../placing/shape-triggers-sql.ts';
import { placingTriggers } from '../placing/triggers-sql.ts';
import { memberTriggers } from './collections/triggers-sql.ts';
import { lockTriggers } from './deletion-locks/triggers-sql.ts';

export const assetsSchema: readonly string[] = [
  `INSERT INTO "shape_tag" ("name", "form", "document") VALUES ('original', 'json', '{}')`,
  ...memberTriggers,
  ...placingTriggers,
  ...accessSchema,
  ...lockTriggers,
  ...attachmentTriggers,
  ...shapeRuleTriggers,
  ...countedSchema,
  ...folderTriggers,
];
