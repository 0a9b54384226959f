import type { fieldsEn } from './fields.en.ts';

export const fieldsSv: Readonly<Record<keyof typeof fieldsEn, string>> = {
  'fields.kind.field': 'Fält',
  'fields.kind.fieldgroup': 'Fältgrupper',
  'fields.makeField': 'Skapa ett fält',
  'fields.makeGroup': 'Skapa en grupp',
  'fields.nameHint': 'En kategori, ett understreck och ett namn, till exempel film_genre.',
  'fields.data.label_en': 'Etikett på engelska',
  'fields.data.label_sv': 'Etikett på svenska',
  'fields.data.ui_order': 'Plats i formulär och filter',
  'fields.data.ui_form': 'I formuläret för varje objekt',
  'fields.usual': 'I formuläret för objekt utan grupp',
  'fields.data.facet': 'Ett filter i biblioteket',
  'fields.data.ui_hidden': 'Dolt i biblioteket',
  'fields.values': 'Val',
  'fields.valuesHint': 'Ett per rad: värdet, eller värdet = dess text.',
  'fields.isFacet': 'Filter',
  'fields.system': 'Från tjänsten',
  'fields.linesHint': 'Ett namn per rad.',
};
