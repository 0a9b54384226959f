import access from './en/access.json' with { type: 'json' };
import collections from './en/collections.json' with { type: 'json' };
import comments from './en/comments.json' with { type: 'json' };
import common from './en/common.json' with { type: 'json' };
import embedded from './en/embedded.json' with { type: 'json' };
import exports from './en/exports.json' with { type: 'json' };
import factors from './en/factors.json' with { type: 'json' };
import fields from './en/fields.json' with { type: 'json' };
import first from './en/first.json' with { type: 'json' };
import fixity from './en/fixity.json' with { type: 'json' };
import guest from './en/guest.json' with { type: 'json' };
import health from './en/health.json' with { type: 'json' };
import item from './en/item.json' with { type: 'json' };
import jobs from './en/jobs.json' with { type: 'json' };
import library from './en/library.json' with { type: 'json' };
import mail from './en/mail.json' with { type: 'json' };
import me from './en/me.json' with { type: 'json' };
import notifications from './en/notifications.json' with { type: 'json' };
import people from './en/people.json' with { type: 'json' };
import player from './en/player.json' with { type: 'json' };
import quota from './en/quota.json' with { type: 'json' };
import restore from './en/restore.json' with { type: 'json' };
import saved from './en/saved.json' with { type: 'json' };
import settings from './en/settings.json' with { type: 'json' };
import shares from './en/shares.json' with { type: 'json' };
import shell from './en/shell.json' with { type: 'json' };
import storages from './en/storages.json' with { type: 'json' };
import tables from './en/tables.json' with { type: 'json' };
import tags from './en/tags.json' with { type: 'json' };
import upload from './en/upload.json' with { type: 'json' };
import usage from './en/usage.json' with { type: 'json' };

/** Texts in English, a file for each page. The build leaves those of guests to the page of guests. */
export const en = {
  ...common,
  ...shell,
  ...factors,
  ...first,
  ...me,
  ...upload,
  ...jobs,
  ...storages,
  ...notifications,
  ...player,
  ...item,
  ...access,
  ...shares,
  ...comments,
  ...health,
  ...settings,
  ...library,
  ...saved,
  ...collections,
  ...quota,
  ...exports,
  ...people,
  ...fields,
  ...tags,
  ...usage,
  ...tables,
  ...mail,
  ...restore,
  ...fixity,
  ...embedded,
  ...guest,
};

export type Key = keyof typeof en;
/** Texts by their keys. What another language lacks is English. */
export type Texts = Readonly<Record<Key, string>>;
