export const xslUri = 'http://www.w3.org/1999/XSL/Transform';

const words = (text: string): readonly string[] => text.split(' ');

/** Names of instructions. */
export const instructionNames: ReadonlySet<string> = new Set(
  words(
    'analyze-string apply-imports apply-templates attribute call-template choose comment copy copy-of document element ' +
      'fallback for-each for-each-group if message namespace next-match number perform-sort processing-instruction ' +
      'sequence text value-of variable',
  ),
);

/** Names of elements that only occur inside of certain instructions, which read them. */
export const partNames: ReadonlySet<string> = new Set(
  words('matching-substring non-matching-substring otherwise param sort when with-param output-character'),
);

/** Names of elements that access further documents. */
export const reachingNames: ReadonlySet<string> = new Set(words('import include import-schema result-document'));

const standard = words(
  'version xpath-default-namespace default-collation exclude-result-prefixes extension-element-prefixes',
);

/** Attributes by element. Those after `!` are required. */
export const attributesOf: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries({
    stylesheet: '!version id default-validation input-type-annotations',
    transform: '!version id default-validation input-type-annotations',
    'analyze-string': '!select !regex flags',
    'apply-imports': '',
    'apply-templates': 'select mode',
    attribute: '!name namespace select separator type validation',
    'attribute-set': '!name use-attribute-sets',
    'call-template': '!name',
    choose: '',
    comment: 'select',
    copy: 'copy-namespaces inherit-namespaces use-attribute-sets type validation',
    'copy-of': '!select copy-namespaces type validation',
    'decimal-format':
      'name decimal-separator grouping-separator infinity minus-sign NaN percent per-mille zero-digit digit pattern-separator',
    document: 'validation type',
    element: '!name namespace inherit-namespaces use-attribute-sets type validation',
    fallback: '',
    'for-each': '!select',
    'for-each-group': '!select group-by group-adjacent group-starting-with group-ending-with collation',
    function: '!name as override',
    if: '!test',
    key: '!name !match use collation',
    message: 'select terminate',
    namespace: '!name select',
    'namespace-alias': '!stylesheet-prefix !result-prefix',
    'next-match': '',
    number: 'value select level count from format lang letter-value ordinal grouping-separator grouping-size',
    otherwise: '',
    output:
      'name method byte-order-mark cdata-section-elements doctype-public doctype-system encoding escape-uri-attributes ' +
      'include-content-type indent media-type normalization-form omit-xml-declaration standalone undeclare-prefixes version',
    param: '!name select as required tunnel',
    'perform-sort': 'select',
    'preserve-space': '!elements',
    'processing-instruction': '!name select',
    sequence: '!select',
    sort: 'select lang order collation stable case-order data-type',
    'strip-space': '!elements',
    template: 'match name priority mode as',
    text: 'disable-output-escaping',
    'value-of': 'select separator disable-output-escaping',
    variable: '!name select as',
    when: '!test',
    'with-param': '!name select as tunnel',
    'matching-substring': '',
    'non-matching-substring': '',
  }).map(([name, text]) => [name, [...text.split(' ').filter((each) => each !== ''), ...standard]]),
);
