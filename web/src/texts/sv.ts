import { accessSv } from './access.sv.ts';
import { collectionsSv } from './collections.sv.ts';
import { commentsSv } from './comments.sv.ts';
import { commonSv } from './common.sv.ts';
import type { Texts } from './en.ts';
import { exportsSv } from './exports.sv.ts';
import { factorsSv } from './factors.sv.ts';
import { fieldsSv } from './fields.sv.ts';
import { firstSv } from './first.sv.ts';
import { healthSv } from './health.sv.ts';
import { itemSv } from './item.sv.ts';
import { jobsSv } from './jobs.sv.ts';
import { librarySv } from './library.sv.ts';
import { meSv } from './me.sv.ts';
import { notificationsSv } from './notifications.sv.ts';
import { peopleSv } from './people.sv.ts';
import { playerSv } from './player.sv.ts';
import { quotaSv } from './quota.sv.ts';
import { savedSv } from './saved.sv.ts';
import { settingsSv } from './settings.sv.ts';
import { sharesSv } from './shares.sv.ts';
import { shellSv } from './shell.sv.ts';
import { storagesSv } from './storages.sv.ts';
import { tagsSv } from './tags.sv.ts';
import { uploadSv } from './upload.sv.ts';

export const sv: Texts = {
  ...commonSv,
  ...shellSv,
  ...factorsSv,
  ...firstSv,
  ...meSv,
  ...uploadSv,
  ...jobsSv,
  ...storagesSv,
  ...notificationsSv,
  ...playerSv,
  ...itemSv,
  ...accessSv,
  ...sharesSv,
  ...commentsSv,
  ...healthSv,
  ...settingsSv,
  ...librarySv,
  ...savedSv,
  ...collectionsSv,
  ...quotaSv,
  ...exportsSv,
  ...peopleSv,
  ...fieldsSv,
  ...tagsSv,
};
