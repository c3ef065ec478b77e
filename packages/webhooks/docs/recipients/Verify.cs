using System;
using System.Linq;
using System.Security.Cryptography;
using System.Text;

public static class Verify
{
    /// header: finds one by its name, or null. body: as it was received, not parsed yet.
    public static bool IsGenuine(Func<string, string> header, byte[] body, string secret)
    {
        var key = Convert.FromBase64String(secret.StartsWith("whsec_") ? secret.Substring(6) : secret);
        if (key.Length < 24) throw new InvalidOperationException("The secret is not set");
        var timestamp = header("webhook-timestamp");
        if (!uint.TryParse(timestamp, out var seconds)) return false;
        if (Math.Abs(DateTimeOffset.UtcNow.ToUnixTimeSeconds() - seconds) > 300) return false;
        var signed = Encoding.UTF8.GetBytes($"{header("webhook-id")}.{timestamp}.").Concat(body).ToArray();
        using (var hmac = new HMACSHA256(key))
        {
            var expected = Encoding.UTF8.GetBytes("v1," + Convert.ToBase64String(hmac.ComputeHash(signed)));
            // There are two signatures for 24 hours after a rotation.
            return (header("webhook-signature") ?? "").Split(' ').Any(given =>
                CryptographicOperations.FixedTimeEquals(Encoding.UTF8.GetBytes(given), expected));
        }
    }
}
