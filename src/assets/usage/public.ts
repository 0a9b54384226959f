export { usageRoutesAt } from './routes.ts';
export { copyTerms } from './store.ts';
export {
  closedByTerms,
  type Media,
  mediaOfItem,
  mediaOfShape,
  mustAllBeUsable,
  mustBeUsable,
  usagesOf,
  useOfMedia,
} from './use.ts';
