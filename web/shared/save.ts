/** What the reader takes along: a name, or the picture as a file. */
import { element } from './dom.js';

/** Copies text; where the browser does not allow it to a page from the disk, through a selection. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = element('textarea', { class: 'page-unseen', 'aria-hidden': 'true' });
    const focused = document.activeElement;
    area.value = text;
    document.body.append(area);
    area.select();
    const isCopied = document.execCommand('copy');
    area.remove();
    if (focused instanceof HTMLElement) focused.focus();
    return isCopied;
  }
}

export function saveFile(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  element('a', { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** The recording's name without its folders, as the start of a file name. */
export function fileName(recording: string, ending: string): string {
  const last = recording.split(/[/\\]/).at(-1) ?? '';
  return `${last.replace(/[^\w.-]+/g, '_') || 'flame'}.${ending}`;
}

export function canvasImage(canvas: HTMLCanvasElement): Promise<Blob> {
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => {
      if (blob === null) reject(new Error('this browser cannot make a picture of the canvas'));
      else resolve(blob);
    }, 'image/png');
  });
}
