/** Elements without a framework. */

/** An element with attributes and children. Text is never parsed as markup. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string>> = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/** A choice with a visible name; `choose` gets the value of the selected option. */
export function chooser(
  title: string,
  options: readonly (readonly [value: string, text: string])[],
  chosen: string,
  choose: (value: string) => void,
): HTMLLabelElement {
  const select = element('select', {}, ...options.map(([value, text]) => element('option', { value }, text)));
  select.value = chosen;
  select.addEventListener('change', () => choose(select.value));
  return element('label', {}, `${title} `, select);
}

export function button(text: string, title: string, press: () => void): HTMLButtonElement {
  const made = element('button', { type: 'button', title, 'aria-label': title }, text);
  made.addEventListener('click', press);
  return made;
}
