/** Parts of several pages that are loaded, with their texts, when somebody asks for them. */
export { Mail } from './mail/mail.tsx';
export { Restore } from './restore/restore.tsx';
export { default as tables } from './tables/page.tsx';
export { default as ending } from './usage/ending.tsx';
export { UsageDialog, UsageTab } from './usage/terms.tsx';
