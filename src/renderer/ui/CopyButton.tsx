import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { Button } from './Button.tsx';
import { notify } from './Toasts.tsx';

/** Copies a text to the clipboard, or says that it could not. Returns whether it did. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    notify('Could not write to the clipboard. Select the text and copy it yourself.');
    return false;
  }
}

/** Copies a text to the clipboard. @param name what screen readers call it, where a screen has several */
export function CopyButton({ text, name, children }: { text: string; name?: string; children: string }) {
  const [copied, setCopied] = useState(false);
  return (
    <Button
      size="small"
      {...(name === undefined || copied ? {} : { 'aria-label': name })}
      onPress={() => {
        void copyText(text).then(setCopied);
      }}
      onHoverEnd={() => setCopied(false)}
      onBlur={() => setCopied(false)}
    >
      {copied ? <Check size={14} aria-hidden="true" /> : <Copy size={14} aria-hidden="true" />}
      {copied ? 'Copied' : children}
    </Button>
  );
}
