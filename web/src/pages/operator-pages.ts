/** Pages of those who run the service. */
export { Checklist } from './first/checklist.tsx';
export { default as first } from './first/page.tsx';
export { default as fixity } from './fixity/page.tsx';
export { default as health } from './health/page.tsx';
export { default as notification } from './notification/page.tsx';
export { default as notifications } from './notifications/page.tsx';
export { default as people } from './people/page.tsx';
export { default as settings } from './settings/page.tsx';
export { default as storage } from './storage/page.tsx';
export { default as storages } from './storages/page.tsx';
export { default as tags } from './tags.tsx';
