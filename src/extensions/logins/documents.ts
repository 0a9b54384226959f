import { document, element, list, string, structure } from '../../core/documents/describe.ts';

const provider = structure('LoginProviderType', {
  name: element(string).required.says('Name of the object in security.ini.'),
  title: element(string).required,
  icon: element(string).says('Name of an icon of the web page.'),
});

export const loginProviderListDocument = document('LoginProviderListDocument', {
  provider: list(provider),
});
