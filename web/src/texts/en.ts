import { accessEn } from './access.en.ts';
import { collectionsEn } from './collections.en.ts';
import { commentsEn } from './comments.en.ts';
import { commonEn } from './common.en.ts';
import { exportsEn } from './exports.en.ts';
import { factorsEn } from './factors.en.ts';
import { fieldsEn } from './fields.en.ts';
import { firstEn } from './first.en.ts';
import { healthEn } from './health.en.ts';
import { itemEn } from './item.en.ts';
import { jobsEn } from './jobs.en.ts';
import { libraryEn } from './library.en.ts';
import { meEn } from './me.en.ts';
import { notificationsEn } from './notifications.en.ts';
import { peopleEn } from './people.en.ts';
import { playerEn } from './player.en.ts';
import { quotaEn } from './quota.en.ts';
import { savedEn } from './saved.en.ts';
import { settingsEn } from './settings.en.ts';
import { sharesEn } from './shares.en.ts';
import { shellEn } from './shell.en.ts';
import { storagesEn } from './storages.en.ts';
import { tagsEn } from './tags.en.ts';
import { uploadEn } from './upload.en.ts';

/** Texts in English, a file for each page. `{name}` is a value, `{count|one item|# items}` goes by the number. */
export const en = {
  ...commonEn,
  ...shellEn,
  ...factorsEn,
  ...firstEn,
  ...meEn,
  ...uploadEn,
  ...jobsEn,
  ...storagesEn,
  ...notificationsEn,
  ...playerEn,
  ...itemEn,
  ...accessEn,
  ...sharesEn,
  ...commentsEn,
  ...healthEn,
  ...settingsEn,
  ...libraryEn,
  ...savedEn,
  ...collectionsEn,
  ...quotaEn,
  ...exportsEn,
  ...peopleEn,
  ...fieldsEn,
  ...tagsEn,
} as const satisfies Readonly<Record<string, string>>;

export type Key = keyof typeof en;
/** The same keys in another language. */
export type Texts = Readonly<Record<Key, string>>;
