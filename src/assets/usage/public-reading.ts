export { usageState } from './documents.ts';
