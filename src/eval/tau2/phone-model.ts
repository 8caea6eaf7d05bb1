import {
  absent,
  bool,
  dict,
  float,
  int,
  oneOf,
  optional,
  record,
  text,
  withDefault,
} from '../python/model.ts';
import type { PythonValue } from '../python/value.ts';

const closed = { closed: true };
const strength = oneOf('none', 'poor', 'fair', 'good', 'excellent');
const technology = oneOf('none', '2G', '3G', '4G', '5G');

/** The network modes that a phone can prefer. */
export const networkModes = ['4g_5g_preferred', '4g_only', '3g_only', '2g_only'];

/** The permissions of an app. */
export const permissionNames = ['sms', 'storage', 'phone', 'network'];

/** The settings by which a phone reaches its carrier's network. */
export const apnSettings = record(
  {
    apn_name: withDefault(oneOf('internet', 'broken'), 'internet'),
    reset_at_reboot: withDefault(bool, false),
    mms_apn: withDefault(optional(text), 'mms'),
    mmsc_url: withDefault(optional(text), 'http://mms.carrier.com/mms/wapenc'),
    mms_proxy: absent(text),
    mms_port: absent(int),
  },
  closed,
);

/** A VPN connection. */
export const vpnDetails = record(
  {
    server_address: absent(text),
    protocol: absent(text),
    server_performance: withDefault(oneOf('unknown', 'poor', 'fair', 'good', 'excellent'), 'unknown'),
  },
  closed,
);

/** What the carrier asks the person to pay. */
export const paymentRequest = record(
  { bill_id: text, amount_due: float, paid: withDefault(bool, false) },
  closed,
);

const permissions = record(
  Object.fromEntries(permissionNames.map((name) => [name, withDefault(bool, false)])),
  closed,
);
const app = record(
  { app_name: text, permissions: withDefault(permissions, permissions.convert(new Map())) },
  closed,
);

function appWith(name: string, ...granted: readonly string[]): PythonValue {
  const allowed = new Map(granted.map((each): [string, PythonValue] => [each, true]));
  return app.convert(
    new Map<string, PythonValue>([
      ['app_name', name],
      ['permissions', allowed],
    ]),
  );
}

const device = record(
  {
    sim_card_status: withDefault(oneOf('active', 'missing', 'locked_pin', 'locked_puk'), 'active'),
    sim_card_missing: withDefault(bool, false),
    airplane_mode: withDefault(bool, false),
    network_signal_strength: withDefault(strength, 'good'),
    network_technology_connected: withDefault(technology, '5G'),
    network_connection_status: withDefault(
      oneOf('connected', 'searching', 'no_service', 'emergency_only'),
      'connected',
    ),
    battery_level: withDefault(int, 80n),
    data_enabled: withDefault(bool, true),
    roaming_enabled: withDefault(bool, false),
    network_mode_preference: withDefault(oneOf(...networkModes), '4g_5g_preferred'),
    active_apn_settings: withDefault(apnSettings, apnSettings.convert(new Map())),
    wifi_enabled: withDefault(bool, false),
    wifi_connected: withDefault(bool, false),
    wifi_ssid: absent(text),
    wifi_signal_strength: withDefault(strength, 'none'),
    wifi_calling_enabled: withDefault(bool, false),
    wifi_calling_mms_over_wifi: withDefault(bool, false),
    data_saver_mode: withDefault(bool, false),
    vpn_enabled_setting: withDefault(bool, false),
    vpn_connected: withDefault(bool, false),
    vpn_details: absent(vpnDetails),
    app_statuses: withDefault(
      dict(app),
      new Map([
        ['messaging', appWith('messaging', 'sms', 'storage', 'phone')],
        ['browser', appWith('browser', 'network', 'storage')],
      ]),
    ),
  },
  closed,
);

const surroundings = record(
  {
    name: absent(text),
    phone_number: absent(text),
    is_abroad: withDefault(bool, false),
    roaming_allowed: withDefault(bool, false),
    signal_strength: withDefault(
      dict(strength, technology),
      new Map([
        ['2G', 'poor'],
        ['3G', 'fair'],
        ['4G', 'good'],
        ['5G', 'excellent'],
      ]),
    ),
    mobile_data_usage_exceeded: withDefault(bool, false),
    line_active: withDefault(bool, true),
    payment_request: absent(paymentRequest),
  },
  closed,
);

/** The phone and where its person is. */
export const phoneDatabase = record(
  {
    device: withDefault(device, device.convert(new Map())),
    surroundings: withDefault(surroundings, surroundings.convert(new Map())),
  },
  closed,
);
