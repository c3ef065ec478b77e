import { Anchor, Button, Group, NativeSelect, useMantineColorScheme } from '@mantine/core';
import { useState } from 'react';
import { useApi } from '../api/api-context.ts';
import type { PanelConfig } from '../panel-config.ts';
import { tabStorage } from '../tab-storage.ts';
import { useAnnounce } from '../ui/announcements.tsx';
import { uiTexts } from '../ui/ui-texts.ts';
import { Brand } from './brand.tsx';

/**
 * Above every page: whose it is, the way back to the host's application, the look, the log-out.
 */
export function PanelHeader({ config }: { readonly config: PanelConfig }) {
  return (
    <Group component="header" justify="space-between" gap="xs" mb="sm">
      <Group gap="md">
        <Brand config={config} />
        {config.backUrl !== null && (
          <Anchor href={config.backUrl} size="sm">
            {uiTexts.back}
          </Anchor>
        )}
      </Group>
      <Group gap="xs">
        {config.colorScheme === null && <ColorSchemeSelect />}
        {config.logoutUrl !== null && <LogOut url={config.logoutUrl} basePath={config.basePath} />}
      </Group>
    </Group>
  );
}

function ColorSchemeSelect() {
  // Mantine would suspend transitions with a <style> element, which the policy refuses.
  const { colorScheme, setColorScheme } = useMantineColorScheme({ keepTransitions: true });
  return (
    <NativeSelect
      size="xs"
      aria-label={uiTexts.colorScheme}
      value={colorScheme}
      onChange={({ currentTarget: { value } }) =>
        setColorScheme(value === 'light' || value === 'dark' ? value : 'auto')
      }
      data={[
        { value: 'auto', label: uiTexts.schemeSystem },
        { value: 'light', label: uiTexts.schemeLight },
        { value: 'dark', label: uiTexts.schemeDark },
      ]}
    />
  );
}

/**
 * Ends the session, forgets what was entered, and leaves for the log-in page; without one, for the
 * list, which is empty then.
 */
function LogOut({ url, basePath }: { readonly url: string; readonly basePath: string }) {
  const announce = useAnnounce();
  const { session } = useApi();
  const [isBusy, setBusy] = useState(false);
  async function logOut(): Promise<void> {
    setBusy(true);
    if (await session.end(url)) {
      tabStorage.clear();
      return location.assign(session.loginHref() ?? basePath);
    }
    setBusy(false);
    announce(uiTexts.notLoggedOut, 'bad');
  }
  return (
    <Button size="xs" variant="default" loading={isBusy} onClick={() => void logOut()}>
      {uiTexts.logOut}
    </Button>
  );
}
