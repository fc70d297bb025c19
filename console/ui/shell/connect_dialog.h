#pragma once

#include "console/client/connection_check.h"
#include "console/client/profile.h"
#include "console/client/secret_store.h"

#include <QDialog>

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QScrollArea;

namespace fremis::console::ui {

class PropertyList;
class Theme;

/// A coordinator's address, name, environment and keys. Thread: GUI.
class ConnectDialog final : public QDialog {
    Q_OBJECT

public:
    ConnectDialog(const Theme& theme, const Profile& proposed, bool keepsSecrets, QWidget* parent);
    [[nodiscard]] Profile profile() const;
    [[nodiscard]] KeyPair keys() const; ///< empty: none given
    /// Why it cannot be used yet; empty when it can.
    [[nodiscard]] QString problem() const;
    /// Shows what a test of the connection finds, step by step; outlives the dialog.
    void watch(ConnectionCheck& check);

Q_SIGNALS:
    void testAsked(const fremis::console::Profile& profile, const fremis::console::KeyPair& keys);

private:
    void check();
    void showSteps();
    void trustCertificate();

    const Theme& m_theme;
    ConnectionCheck* m_check = nullptr;

    Profile m_proposed;
    QLineEdit* m_url;
    QLineEdit* m_name;
    QComboBox* m_environment;
    QComboBox* m_colour;
    QLineEdit* m_access;
    QLineEdit* m_secret;
    QLabel* m_problem;
    QPushButton* m_connect;
    QPushButton* m_test;
    QPushButton* m_trust;
    PropertyList* m_steps;
    QScrollArea* m_stepArea;
};

/// "127.0.0.1:4005", "http://host:4005" or several with commas; nothing when one is not an address.
[[nodiscard]] std::optional<QList<QUrl>> parseCoordinators(const QString& text);

} // namespace fremis::console::ui
