/** Pages of everybody's work, and what few logins need. */
export { Alone } from '../factor/alone.tsx';
export { SecondStep } from '../factor/second-step.tsx';
export { default as collections } from './collections/page.tsx';
export { default as job } from './job/page.tsx';
export { default as jobs } from './jobs/page.tsx';
export { default as forMe } from './library/for-me.tsx';
export { default as me } from './me/page.tsx';
export { default as saved } from './saved.tsx';
export { default as links } from './shares/page.tsx';
export { default as upload } from './upload/page.tsx';
